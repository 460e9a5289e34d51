import { quote } from './shell/bash.ts'
import { runLine, runSecretLine } from './shell/shell-run.ts'

/** What to do in a phase: lines to run, selected by conditions when the phase begins. */
export type ScriptStep =
  /**
   * A line to run. If its program is missing, `lacking` is printed and the job ends. `shown` is printed
   * instead of a secret line, and `hands` is the variable whose value the runner masks from then on.
   */
  | { run: string; lacking?: string; shown?: string; hands?: string }
  | { say: 'red' | 'yellow' | 'dim'; text: string }
  /** A condition of bash; it must not need any program. */
  | { when: string; yes: readonly ScriptStep[]; no: readonly ScriptStep[] }
  /** There is nothing to test: prints this, and the test result is 1. */
  | { fail: string }
  /** Testing nothing is fine: the test result is 0. */
  | { pass: true }

/**
 * What the exit code of a line means: with `assert` a failure stops the job, `script` sets the test
 * result, and the others ignore it. `export` and `quick` are not timed.
 */
export type CommandKind = 'assert' | 'script' | 'ignore' | 'export' | 'quick'

export interface Phase {
  name: string
  kind: CommandKind
  folded: boolean
  steps: readonly ScriptStep[]
}

/** The program text of a phase. Folds are numbered where a phase has several lines. */
export function renderPhase({ name, kind, folded, steps }: Phase): string {
  const numbered = steps.length > 1
  return steps
    .map((step, index) => render(step, numbered ? `${name}.${index + 1}` : name))
    .join('\n')

  function render(step: ScriptStep, fold: string): string {
    if ('run' in step) {
      const shown = step.shown === undefined ? [] : [step.shown]
      const words = [name, kind, folded ? fold : '', step.run, ...shown].map(quote)
      const check = step.lacking === undefined ? '' : lacks(step.run, step.lacking)
      const hand = step.hands === undefined ? '' : `\n__service_hand ${step.hands}`
      const line = shown.length > 0 ? runSecretLine : runLine
      return `${check}__service_begin ${words.join(' ')}\n${line}${hand}`
    }
    if ('say' in step) return say(step.say, step.text)
    if ('when' in step) {
      const [yes, no] = [step.yes, step.no].map((branch) =>
        [':', ...branch.map((inner) => render(inner, fold))].join('\n'),
      )
      return `if ${step.when}; then\n${yes}\nelse\n${no}\nfi`
    }
    if ('fail' in step) return `${say('yellow', step.fail)}\n__service_note 1`
    return '__service_note 0'
  }
}

function lacks(line: string, sentence: string): string {
  return `__service_has ${quote(programOf(line))} || __service_lacks ${quote(sentence)}\n`
}

/** The program that a plain line calls. */
export function programOf(line: string): string {
  const [first = '', second = ''] = line.split(' ')
  return first === 'service_retry' ? second : first
}

export function say(colour: 'red' | 'yellow' | 'dim', text: string): string {
  return `__service_say ${colour} ${quote(text)}`
}
