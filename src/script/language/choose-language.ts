import type { JobConfig } from '../../domain/job/job.ts'
import {
  languagesWithoutCommands,
  unknownLanguage,
  withoutScript,
} from '../../domain/job/language-tools.ts'
import { firstText } from '../first-text.ts'
import { say } from '../steps.ts'
import { generic, languages } from './language-defaults.ts'
import { languageTool } from './language-tools.ts'
import type { Language } from './language.ts'

export interface ChosenLanguage extends Language {
  name: string
  /** Program text with a note about the choice. */
  note: string
  /** Why a job without a `script` is not run; absent if the language has a default script. */
  without_script?: string
}

/** The first language of a list counts; an unknown one is `generic`, and needs a `script`. */
export function chooseLanguage(config: JobConfig): ChosenLanguage {
  const requested = (firstText(config.language) ?? 'generic').toLowerCase().trim()
  const name = aliases.get(requested) ?? (requested.startsWith('java') ? 'java' : requested)
  const own = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (own) return { ...own(config), name, note: '' }
  if (languagesWithoutCommands.includes(name)) return { ...onlyWritten(name), name }
  const text = `There is no language "${requested}": the job is treated like language "generic".`
  return {
    ...generic,
    name: 'generic',
    without_script: unknownLanguage(requested),
    note: say('red', text),
  }
}

const aliases = new Map(
  Object.entries({
    generic: ['', 'bash', 'sh', 'shell', 'minimal'],
    node_js: ['node', 'javascript', 'js'],
    cpp: ['c++', 'cplusplus'],
    go: ['golang'],
    java: ['jvm'],
    'objective-c': ['swift', 'objective_c'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** A test that was never run must not look as if it had passed, so a script is required. */
function onlyWritten(name: string): Omit<ChosenLanguage, 'name'> {
  return {
    announce: [],
    install: [],
    script: [],
    without_script: withoutScript(name),
    note: say(
      'yellow',
      `Language "${name}" has no default commands in this service: only the commands in .service.yml are run.`,
    ),
  }
}

/** The language version that a job requests, as `key: version`; undefined if any will do. */
export function askedVersion(config: JobConfig): string | undefined {
  const key = languageTool(chooseLanguage(config).name, config)?.key
  const asked = key === undefined ? undefined : firstText(config[key])
  return asked === undefined ? undefined : `${key}: ${asked}`
}
