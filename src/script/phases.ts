import type { JobConfig } from '../domain/job/job.ts'
import { missingTool, type PathVariable } from '../domain/job/language-tools.ts'
import type { ChosenLanguage } from './language/choose-language.ts'
import { stepsOf } from './shell/lines.ts'
import { type CommandKind, programOf, renderPhase, type ScriptStep } from './steps.ts'

export const phaseNames: readonly string[] = [
  'before_install',
  'install',
  'before_script',
  'script',
  'before_cache',
  'after_success',
  'after_failure',
  'after_script',
]

/** Program text of all phases: the user's lines, and the language's defaults. */
export function userPhases(
  config: JobConfig,
  language: ChosenLanguage,
  variable: PathVariable,
): string {
  const checked = (steps: readonly ScriptStep[]) => checkedSteps(steps, language.name, variable)
  const phase = (name: string, kind: CommandKind, byDefault: readonly ScriptStep[] = []) =>
    renderPhase({
      name,
      kind,
      folded: kind !== 'script',
      steps: stepsOf(name, config[name], byDefault),
    })
  return [
    phase('before_install', 'assert'),
    phase('install', 'assert', checked(language.install)),
    phase('before_script', 'assert'),
    phase('script', 'script', checked(language.script)),
    noResult,
    phase('before_cache', 'ignore'),
    // No result at all counts as not passed.
    'if [[ $__service_result == 0 ]]; then',
    ...[':', phase('after_success', 'ignore'), 'else', ':', phase('after_failure', 'ignore')],
    'fi',
    phase('after_script', 'ignore'),
  ].join('\n')
}

/** The commands of a language; a command whose program is missing ends the job with a sentence. */
function checkedSteps(
  steps: readonly ScriptStep[],
  language: string,
  variable: PathVariable,
): ScriptStep[] {
  const checked = (inner: readonly ScriptStep[]) => checkedSteps(inner, language, variable)
  return steps.map((step) => {
    if ('when' in step) {
      return { ...step, yes: checked(step.yes), no: checked(step.no) }
    }
    const program = 'run' in step ? programOf(step.run) : ''
    // A path names a file in the repository.
    if (!/^[\w-]+$/.test(program)) return step
    return { ...step, lacking: missingTool(language, program, variable) }
  })
}

const noResult = `if [[ -z $__service_result ]]; then
  __service_say red 'The script is empty, so there is no test result.'
fi`
