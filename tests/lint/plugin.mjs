/**
 * Trellis's own lint rules: the layers, no handwritten SQL outside its three folders, and no connection that bypasses the outbound
 * gate.
 */
import { readFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { isProof, refusal } from './layers.mjs';

const pathOf = (context) => relative(context.cwd, context.filename).split(sep).join(posix.sep);

/** The ids under `dependencies` in a plugin's manifest; empty if the manifest cannot be read. */
function dependencyReader(root) {
  const known = new Map();
  return (id) => {
    if (!known.has(id)) known.set(id, readDependencies(`${root}/plugins/${id}/plugin.json`));
    return known.get(id);
  };
}

function readDependencies(file) {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The text of a string literal or of a template without placeholders, else undefined. */
function literal(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TSLiteralType') return literal(node.literal);
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/** Whether an import or export names only types. */
const typesAlone = (node, kind) =>
  node[kind] === 'type' ||
  (node.specifiers?.length > 0 && node.specifiers.every((specifier) => specifier[kind] === 'type'));

const layers = {
  meta: { type: 'problem', docs: { description: 'Keep each layer to what it may import.' } },
  create(context) {
    const path = pathOf(context);
    const dependenciesOf = dependencyReader(context.cwd);
    const isHost = /^(host-server|host-web|tests|stories|sdk\/(testing|build))\//.test(path);

    function check(node, source, typeOnly) {
      const specifier = literal(source);
      if (specifier === undefined) {
        if (!isHost) context.report({ node, message: 'Only a host may load a module by a computed name.' });
        return;
      }
      const message = refusal(path, specifier, { typeOnly, dependenciesOf });
      if (message !== undefined) context.report({ node, message });
    }

    return {
      ImportDeclaration: (node) => check(node, node.source, typesAlone(node, 'importKind')),
      ExportNamedDeclaration: (node) => {
        if (node.source) check(node, node.source, typesAlone(node, 'exportKind'));
      },
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source ?? node.argument, true),
      TSImportEqualsDeclaration: (node) => {
        const reference = node.moduleReference;
        if (reference.type === 'TSExternalModuleReference') check(node, reference.expression, false);
      },
      CallExpression: (node) => {
        const callee = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
        if (callee.type === 'Identifier' && callee.name === 'require' && node.arguments.length > 0) {
          check(node, node.arguments[0], false);
        }
      },
    };
  },
};

const rawNames = new Set([
  'raw',
  'whereRaw',
  'orWhereRaw',
  'havingRaw',
  'orHavingRaw',
  'orderByRaw',
  'groupByRaw',
  'joinRaw',
  'fromRaw',
  'selectRaw',
  'onRaw',
]);
const sqlHomes = /^host-server\/(sql|dialects|databases|query)\//;
const serverSide = /^(host-server|sdk\/server|plugins\/[^/]+\/server)\//;

const rawSql = {
  meta: {
    type: 'problem',
    docs: { description: 'Write SQL text only where dialects and the compiler live.' },
  },
  create(context) {
    const path = pathOf(context);
    if (!serverSide.test(path) || sqlHomes.test(path) || isProof(path)) return {};
    return {
      CallExpression: (node) => {
        const { callee } = node;
        const name =
          callee.type === 'MemberExpression'
            ? (callee.property.name ?? literal(callee.property))
            : callee.type === 'Identifier'
              ? callee.name
              : undefined;
        if (rawNames.has(name)) {
          context.report({
            node,
            message: `${name}() writes SQL by hand; register a typed node, or move this into host-server/sql, dialects, databases or query.`,
          });
        }
      },
    };
  },
};

const dialectNames = new Set(['sqlite', 'postgres', 'mysql', 'mariadb', 'mssql']);
const dialectHomes = /^host-server\/(dialects|databases)\//;

/** Differences between databases belong in `dialects/`: elsewhere their names must not be compared. */
const dialectName = {
  meta: { type: 'problem', docs: { description: 'Ask a topic of the dialect, not its name.' } },
  create(context) {
    const path = pathOf(context);
    if (!serverSide.test(path) || dialectHomes.test(path) || isProof(path)) return {};
    const check = (node, compared) => {
      if (compared.some((side) => dialectNames.has(literal(side)))) {
        context.report({ node, message: 'Ask a topic of the dialect (host-server/dialects), not its name.' });
      }
    };
    return {
      BinaryExpression: (node) => {
        if (/^[!=]==?$/.test(node.operator)) check(node, [node.left, node.right]);
      },
      SwitchCase: (node) => check(node, [node.test]),
    };
  },
};

const socketModules = /^(node:)?(net|tls|http|https|http2|dgram)$|^undici$/;
const globalCalls = new Set(['fetch', 'WebSocket', 'EventSource']);
/** The outbound gate, and files that connect to an address it has checked, that listen, or that only parse addresses. */
const socketHomes = new Set([
  'host-server/build/dev-command.mjs',
  'host-server/runtime/outbound/address-kind.ts',
  'host-server/runtime/outbound/kept-connections.ts',
  'host-server/runtime/outbound/outbound-fetch.ts',
  'host-server/databases/mssql/mssql-connections.ts',
  'host-server/databases/mysql/mysql-driver.ts',
  'host-server/databases/postgres/postgres-driver.ts',
  'host-server/http/http-server.ts',
  'host-server/http/send-answer.ts',
  'host-server/http/waiting-room.ts',
  'host-server/runtime/config/config.ts',
  'sdk/server/address-range.ts',
  'sdk/server/check-address.ts',
]);

/** Outgoing calls use `OutboundToken`, which restricts the server to what its operator has opened. */
const outboundGate = {
  meta: { type: 'problem', docs: { description: 'Call other machines by the outbound gate alone.' } },
  create(context) {
    const path = pathOf(context);
    if (
      !serverSide.test(path) ||
      socketHomes.has(path) ||
      isProof(path) ||
      /(^|\/)testing(\/|\.ts$)/.test(path)
    )
      return {};
    const refuse = (node, what) =>
      context.report({
        node,
        message: `${what} gets round the outbound gate; ask OutboundToken, or add this file to socketHomes in tests/lint/plugin.mjs with what it does there.`,
      });
    const checkModule = (node, source) => {
      const specifier = literal(source) ?? '';
      if (socketModules.test(specifier)) refuse(node, `'${specifier}'`);
    };
    const checkName = (node) => {
      const { type, name, object, property } = node ?? {};
      if (type === 'Identifier' && globalCalls.has(name)) refuse(node, `'${name}'`);
      if (type === 'MemberExpression' && ['globalThis', 'global'].includes(object.name)) {
        const member = property.name ?? literal(property);
        if (globalCalls.has(member)) refuse(node, `'${member}'`);
      }
    };
    return {
      ImportDeclaration: (node) => {
        if (!typesAlone(node, 'importKind')) checkModule(node, node.source);
      },
      ExportNamedDeclaration: (node) => {
        if (node.source && !typesAlone(node, 'exportKind')) checkModule(node, node.source);
      },
      ExportAllDeclaration: (node) => checkModule(node, node.source),
      ImportExpression: (node) => checkModule(node, node.source),
      CallExpression: (node) => {
        checkName(node.callee);
        for (const argument of node.arguments) checkName(argument);
      },
      NewExpression: (node) => checkName(node.callee),
      VariableDeclarator: (node) => checkName(node.init),
    };
  },
};

/** A suppression must say why: `// oxlint-disable-next-line rule -- reason`. */
const reasonedSuppression = {
  meta: { type: 'suggestion', docs: { description: 'Give a reason beside each suppression.' } },
  create(context) {
    return {
      Program: () => {
        for (const comment of context.sourceCode.getAllComments()) {
          const text = comment.value.trim();
          if (/^(oxlint|eslint)-disable/.test(text) && !/ -- \S/.test(text)) {
            context.report({
              loc: comment.loc,
              message: 'Say why this rule is off here: "oxlint-disable-next-line <rule> -- <reason>".',
            });
          }
        }
      },
    };
  },
};

export default {
  meta: { name: 'trellis' },
  rules: {
    layers,
    'raw-sql': rawSql,
    'dialect-name': dialectName,
    'outbound-gate': outboundGate,
    'reasoned-suppression': reasonedSuppression,
  },
};
