import { asValue, type ConfigEnv, type ConfigDefinition } from './config-env.ts'
import type { ScriptInput } from '../input.ts'
import { isMasked } from '../../domain/log/masked.ts'
import { secretForms, withoutQuotes } from './secret-forms.ts'
import { renderPhase, say } from '../steps.ts'

export interface JobVariables {
  /** Program text that exports them. */
  program: string
  /** What of them must not be seen in the log. */
  secrets: string[]
}

/**
 * The variables of the repository's settings, then those of the build file, each under a heading that
 * names its source. They come after the built-in ones, and the later one wins.
 */
export function jobVariables(
  { variables, withheld }: Pick<ScriptInput, 'variables' | 'withheld'>,
  file: ConfigEnv,
): JobVariables {
  const settings = variables.map(({ name, value, public: isPublic }) => ({
    name,
    value: asValue(value),
    secret: !isPublic,
  }))
  const secret = [...settings, ...file.definitions].filter((definition) => definition.secret)
  const program = [
    ...(withheld || file.withheld ? [say('yellow', withheldNote)] : []),
    ...file.notes.map((note) => say('yellow', note)),
    exports('Setting environment variables from repository settings', settings),
    exports('Setting environment variables from .service.yml', file.definitions),
    ...unmasked(secret),
  ]
  // As it was typed as well: programs can print it before bash has read it.
  const typed = variables.filter((variable) => !variable.public).map(({ value }) => value)
  return {
    program: program.join('\n'),
    secrets: [...new Set([...typed, ...secret.flatMap(({ value }) => secretForms(value))])],
  }
}

/** A note on the secret values that would be seen where the job prints them. */
function unmasked(secret: readonly ConfigDefinition[]): string[] {
  const seen = secret.filter(({ value }) => value !== '' && !isMasked(withoutQuotes(value)))
  const names = [...new Set(seen.map(({ name }) => name))]
  return names.length === 0 ? [] : [say('yellow', unmaskedNote(names.join(', ')))]
}

function unmaskedNote(names: string): string {
  return (
    `Not masked in this log, since it is too short or too common: the secret value of ${names}. ` +
    'If it is to stay secret, choose a longer one.'
  )
}

const withheldNote =
  'This job builds a pull request from a fork, so it gets no secret variables: neither those of the ' +
  'repository settings nor those encrypted in .service.yml. The setting ' +
  'share_encrypted_env_with_forks would share them.'

function exports(heading: string, definitions: readonly ConfigDefinition[]): string {
  const steps = definitions.map(({ name, value, secret }) => ({
    run: `export ${name}=${value}`,
    ...(secret ? { shown: `export ${name}=[secure]` } : {}),
  }))
  return [
    ...(steps.length > 0 ? [say('yellow', heading)] : []),
    renderPhase({ name: 'env', kind: 'export', folded: false, steps }),
  ].join('\n')
}
