export { automatonOf, takesWhole, type AutomatonWatch, type PatternAutomaton } from './automaton.ts';
export { character, commonCharacter, complement, type CharacterSet } from './character-set.ts';
export {
  parsePattern,
  PatternError,
  type Pattern,
  type PatternNode,
  type PatternProblem,
} from './parse-pattern.ts';
