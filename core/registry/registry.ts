import type { BudgetSubject } from '../errors/error-budget.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { Emitter, type Event } from '../lifecycle/emitter.ts';

export interface RegistryItem {
  readonly id: string;
  /** Lower comes first. Default: the registry's. */
  readonly order?: number;
}

/** An item with the plugin that registered it. @public */
export interface RegistryEntry<Item> {
  readonly item: Item;
  /** The id of the plugin that registered it. */
  readonly owner: string;
}

/** The read-only interface of a registry. @public */
export interface RegistryView<Item> {
  readonly id: string;
  get(id: string): Item | undefined;
  ownerOf(id: string): string | undefined;
  /** The items by `order`, then by registration. The same array until the next change. */
  list(): readonly Item[];
  /** As `list`, with owners. */
  entries(): readonly RegistryEntry<Item>[];
  readonly onDidChange: Event<void>;
}

export interface RegistryOptions<Item> {
  readonly id: string;
  /** What the product does when a stored id has no provider. */
  readonly absentPolicy: string;
  /** Refuses an item by throwing; the message is shown to the person who enables the plugin. */
  readonly validate?: (item: Item) => void;
  /** Wraps an item for readers, so that errors of its own code are contained, and charged to `subject`. */
  readonly contain?: (item: Item, subject: BudgetSubject) => Item;
  /** The order of items without one. Default 0. */
  readonly defaultOrder?: number;
}

interface Slot<Item> extends RegistryEntry<Item> {
  readonly subject: BudgetSubject;
  readonly order: number;
  suspended: boolean;
}

/** An observable map of items, each with an owner. */
export class Registry<Item extends { readonly id: string }> implements RegistryView<Item> {
  readonly id: string;
  readonly absentPolicy: string;
  readonly #validate: ((item: Item) => void) | undefined;
  readonly #contain: RegistryOptions<Item>['contain'];
  readonly #defaultOrder: number;
  readonly #slots = new Map<string, Slot<Item>>();
  readonly #changed = new Emitter<void>();
  #entries: readonly RegistryEntry<Item>[] | undefined;
  #list: readonly Item[] | undefined;

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(options: RegistryOptions<Item>) {
    this.id = options.id;
    this.absentPolicy = options.absentPolicy;
    this.#validate = options.validate;
    this.#contain = options.contain;
    this.#defaultOrder = options.defaultOrder ?? 0;
  }

  /** The number of registered items, including suspended ones. */
  get size(): number {
    return this.#slots.size;
  }

  /**
   * Adds an item for an owner.
   *
   * @throws Error for an item without an id, naming both owners when the id is taken, and the error of the registry's validation.
   */
  register(item: Item, owner: string): Disposable {
    // Plugins in JavaScript may pass anything.
    const given: { readonly id?: unknown } = Object(item);
    if (typeof given.id !== 'string' || given.id === '')
      throw new Error(
        `What '${owner}' registers in '${this.id}' cannot be used: 'id' is missing; write a text.`,
      );
    const earlier = this.#slots.get(item.id);
    if (earlier !== undefined) {
      throw new Error(
        earlier.owner === owner
          ? `'${owner}' registers '${item.id}' in '${this.id}' twice; rename one of the two, or leave it out.`
          : `'${item.id}' of '${owner}' is already registered in '${this.id}' by '${earlier.owner}'; ` +
              'rename it or disable one of the two.',
      );
    }
    this.#validate?.(item);
    const { id } = item;
    const subject: BudgetSubject = {
      owner,
      description: `'${id}' in ${this.id}`,
      suspend: () => {
        this.#setSuspended(slot, true);
        return { dispose: () => this.#setSuspended(slot, false) };
      },
    };
    const slot: Slot<Item> = {
      subject,
      item: this.#contain?.(item, subject) ?? item,
      owner,
      order: orderOf(item) ?? this.#defaultOrder,
      suspended: false,
    };
    this.#slots.set(id, slot);
    this.#didChange();
    return toDisposable(() => {
      if (this.#slots.get(id) !== slot) return;
      this.#slots.delete(id);
      this.#didChange();
    });
  }

  /**
   * The subject that an error budget charges when an item fails. A suspended item is hidden, so readers follow the absent policy,
   * while its id stays taken. The same object as long as the item is registered.
   *
   * @throws Error when there is no such item.
   */
  subject(id: string): BudgetSubject {
    const slot = this.#slots.get(id);
    if (slot === undefined)
      throw new Error(`'${id}' is not registered in '${this.id}', so it cannot have failed.`);
    return slot.subject;
  }

  get(id: string): Item | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined || slot.suspended ? undefined : slot.item;
  }

  ownerOf(id: string): string | undefined {
    return this.#slots.get(id)?.owner;
  }

  list(): readonly Item[] {
    this.#list ??= this.entries().map((entry) => entry.item);
    return this.#list;
  }

  entries(): readonly RegistryEntry<Item>[] {
    this.#entries ??= [...this.#slots.values()]
      .filter((slot) => !slot.suspended)
      .sort((left, right) => left.order - right.order)
      .map(({ item, owner }) => ({ item, owner }));
    return this.#entries;
  }

  #setSuspended(slot: Slot<Item>, suspended: boolean): void {
    if (slot.suspended === suspended) return;
    slot.suspended = suspended;
    if (this.#slots.get(slot.item.id) === slot) this.#didChange();
  }

  #didChange(): void {
    this.#entries = undefined;
    this.#list = undefined;
    this.#changed.fire();
  }
}

function orderOf(item: RegistryItem): number | undefined {
  return item.order;
}
