import type { JobConfig } from '../../domain/job/job.ts'
import {
  type LanguageVersions,
  type PathVariable,
  type Versions,
  missingTool,
  missingVersion,
  otherVersion,
} from '../../domain/job/language-tools.ts'
import { clearLine, foundMarker } from '../../domain/log/log-markers.ts'
import { firstText } from '../first-text.ts'
import { printfFormat, quote } from '../shell/bash.ts'
import type { LanguageTool } from './language-programs.ts'

export interface Wanted {
  language: string
  tool: LanguageTool
  config: JobConfig
  versions: LanguageVersions
  path_variable: PathVariable
}

/** Program text that ends the job unless its language's tool is there, in the requested version. */
export function checkTool({ language, tool, config, ...given }: Wanted): string {
  const { program, besides = [] } = tool
  const lacks = (name: string) =>
    `__service_lacks ${quote(missingTool(language, name, given.path_variable))}`
  return [
    ...findTool(tool),
    ask(tool, config),
    `__service_choose ${tool.tells.map(quote).join(' ')}`,
    `if [[ ! $__service_first ]]; then ${lacks(program)}; fi`,
    ...otherwise(given),
    `__service_use ${quote(program)}`,
    ...besides.map((name) => `__service_has ${name} || ${lacks(name)}`),
  ].join('\n')
}

/** Program text that finds the programs of a tool. */
export function findTool({ names, places }: LanguageTool): string[] {
  return [`__service_find ${names.map(quote).join(' ')} -- ${places.join(' ')}`.trimEnd()]
}

/** Program text for the version requested by the build file, or else by another file of the repository. */
function ask({ key, asdf, files = [] }: LanguageTool, config: JobConfig): string {
  const asked = key === undefined ? undefined : firstText(config[key])
  if (asked !== undefined) {
    return `__service_ask .service.yml ${quote(`${key}: ${asked}`)} ${quote(asked)}`
  }
  if (asdf === undefined) return ''
  return ['__service_ask_files', ...[asdf, ...files].map(quote)].join(' ')
}

/** Program text for the case that no version fits. */
function otherwise({ versions, path_variable }: Pick<Wanted, 'versions' | 'path_variable'>) {
  const missing = sentence(
    (words) => missingVersion(words, path_variable),
    '${__service_versions:-an unknown one}',
  )
  const mark = `builtin printf ${printfFormat(foundMarker('%s') + clearLine)} "$__service_first_version"`
  const run = [
    ...[mark, `__service_say yellow ${sentence(otherVersion, '$__service_first_version')}`],
    '__service_tool=$__service_first',
  ]
  const choices = {
    exact: [`__service_lacks ${missing}`],
    present: run,
    image: ['__service_tool=$__service_first'],
  }
  return ['if [[ ! $__service_tool ]]; then', ...choices[versions], 'fi']
}

/** A sentence as a word of bash, with values that only bash knows. */
function sentence(make: (words: Versions) => string, found: string): string {
  const words = { file: '\u0001', asked: '\u0002', found: '\u0003' }
  return quote(make(words))
    .replace(words.file, `'"$__service_asked_in"'`)
    .replace(words.asked, `'"$__service_asked"'`)
    .replace(words.found, `'"${found}"'`)
}
