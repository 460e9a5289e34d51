import type { JobConfig } from '../domain/job.ts'
import type { Language } from './language-defaults.ts'
import { stepsOf } from './lines.ts'
import { type CommandKind, renderPhase, type Step } from './steps.ts'

/** Program text of all phases: what the user wrote, and the language's defaults. */
export function userPhases(config: JobConfig, language: Language): string {
  const phase = (name: string, kind: CommandKind, byDefault: readonly Step[] = []) =>
    renderPhase({
      name,
      kind,
      folded: kind !== 'script',
      steps: stepsOf(name, config[name], byDefault),
    })
  return [
    phase('before_install', 'assert'),
    phase('install', 'assert', language.install),
    phase('before_script', 'assert'),
    phase('script', 'script', language.script),
    noResult,
    phase('before_cache', 'ignore'),
    // No result at all counts as not passed.
    'if [[ $__service_result == 0 ]]; then',
    ...[':', phase('after_success', 'ignore'), 'else', ':', phase('after_failure', 'ignore')],
    'fi',
    phase('after_script', 'ignore'),
  ].join('\n')
}

const noResult = `if [[ -z $__service_result ]]; then
  __service_say red 'The script is empty, so there is no test result.'
fi`
