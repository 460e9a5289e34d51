import { variableName } from '../../domain/env-var.ts'
import { secretsOverMarker } from '../../domain/log/secret-markers.ts'
import type { ScriptInput } from '../input.ts'
import { printfFormat } from '../shell/bash.ts'
import { renderPhase, say } from '../steps.ts'
import { asValue, type ConfigEnv, type ConfigDefinition } from './config-env.ts'
import { secretForms } from './secret-forms.ts'

export interface JobVariables {
  /** Program text that exports the variables. */
  program: string
  /** Texts of secret variables that must not appear in the log. */
  secrets: string[]
  /** Whether the program hands over secret values as bash has evaluated them. */
  handed: boolean
}

type Given = Pick<ScriptInput, 'variables' | 'withheld' | 'withheld_of_owner' | 'repository'>

/**
 * The variables of the owner's settings, the repository's settings and the build file, in this order,
 * each group under a heading that names its source. They come after the built-in variables, and the
 * later one wins.
 */
export function jobVariables(
  { variables, withheld, withheld_of_owner, repository: { slug } }: Given,
  file: ConfigEnv,
  nonce: string,
): JobVariables {
  const [owner = ''] = slug.split('/')
  // An invalid name, stored before names were checked, would be read as a part of the program.
  const unnamed = variables.filter(({ name }) => !variableName.test(name))
  const definitionsOf = (source: 'owner' | 'repository') =>
    variables
      .filter((variable) => variable.of === source && !unnamed.includes(variable))
      .map(({ name, value, public: isPublic }) => ({
        name,
        value: asValue(value),
        secret: !isPublic,
      }))
  const ofOwner = definitionsOf('owner')
  const ofRepository = definitionsOf('repository')
  const secret = [...ofOwner, ...ofRepository, ...file.definitions].filter(
    (definition) => definition.secret,
  )
  const program = [
    ...(withheld || file.withheld ? [say('yellow', withheldNote)] : []),
    ...(withheld_of_owner ? [say('yellow', withheldOfOwnerNote(owner))] : []),
    ...unnamed.map(({ name }) => say('yellow', unnamedNote(name))),
    ...file.notes.map((note) => say('yellow', note)),
    exports(`Setting environment variables from the settings of ${owner}`, ofOwner),
    exports('Setting environment variables from repository settings', ofRepository),
    exports('Setting environment variables from .service.yml', file.definitions),
    ...(secret.length > 0 ? [`builtin printf ${printfFormat(secretsOverMarker(nonce))}`] : []),
  ]
  // Values as typed are secret as well: programs can print them before bash has read them.
  const typed = variables.filter((variable) => !variable.public).map(({ value }) => value)
  return {
    program: program.join('\n'),
    handed: secret.length > 0,
    secrets: [...new Set([...typed, ...secret.flatMap(({ value }) => secretForms(value))])],
  }
}

const withheldNote =
  'This job builds a pull request from a fork, so it gets no secret variables: neither those of the ' +
  'repository settings nor those encrypted in .service.yml. The setting ' +
  'share_encrypted_env_with_forks would share them.'

const withheldOfOwnerNote = (owner: string) =>
  'This job builds a pull request from a fork, so it gets none of the variables that ' +
  `${owner} has for all of its repositories. No setting shares them.`

const unnamedNote = (name: string) =>
  `Left out, because no shell accepts its name: the variable ${JSON.stringify(name)} of the settings. ` +
  'Give it a name of letters, digits and underscores.'

function exports(heading: string, definitions: readonly ConfigDefinition[]): string {
  const steps = definitions.map(({ name, value, secret }) => ({
    run: `export ${name}=${value}`,
    ...(secret ? { shown: `export ${name}=[secure]`, hands: name } : {}),
  }))
  return [
    ...(steps.length > 0 ? [say('yellow', heading)] : []),
    renderPhase({ name: 'env', kind: 'export', folded: false, steps }),
  ].join('\n')
}
