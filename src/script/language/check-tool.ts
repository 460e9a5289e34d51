import {
  type LanguageVersions,
  type PathVariable,
  missingTool,
  missingVersion,
  otherVersion,
} from '../../domain/job/language-tools.ts'
import type { JobConfig } from '../../domain/job/job.ts'
import { clearLine, foundMarker } from '../../domain/log/log-markers.ts'
import { printfFormat, quote } from '../shell/bash.ts'
import { firstText } from '../first-text.ts'
import type { LanguageTool } from './language-programs.ts'
import { versionPattern } from './version-pattern.ts'

export interface Wanted {
  language: string
  tool: LanguageTool
  config: JobConfig
  versions: LanguageVersions
  path_variable: PathVariable
}

/** Program text that ends the job unless the tool of its language is there, in the version asked for. */
export function checkTool({ language, tool, config, ...given }: Wanted): string {
  const { program, key, besides = [] } = tool
  const asked = key === undefined ? undefined : firstText(config[key])
  const pattern = asked === undefined ? '' : versionPattern(asked)
  const lacks = (name: string) =>
    `__service_lacks ${quote(missingTool(language, name, given.path_variable))}`
  return [
    ...findTool(tool),
    `__service_choose ${tool.option} ${quote(pattern)}`,
    `if [[ ! $__service_first ]]; then ${lacks(program)}; fi`,
    ...(asked === undefined ? [] : otherwise(`${key}: ${asked}`, given)),
    `__service_use ${quote(program)}`,
    ...besides.map((name) => `__service_has ${name} || ${lacks(name)}`),
  ].join('\n')
}

/** Program text that finds what there is of a tool. */
export function findTool({ names, places }: LanguageTool): string[] {
  return [`__service_find ${names.map(quote).join(' ')} -- ${places.join(' ')}`.trimEnd()]
}

/** What is done where no version fits. */
function otherwise(
  asked: string,
  { versions, path_variable }: Pick<Wanted, 'versions' | 'path_variable'>,
): string[] {
  const missing = sentence(
    (each) => missingVersion(each, path_variable),
    asked,
    '${__service_versions:-an unknown one}',
  )
  const other = sentence(otherVersion, asked, '$__service_first_version')
  const mark = `builtin printf ${printfFormat(foundMarker('%s') + clearLine)} "$__service_first_version"`
  const run = [mark, `__service_say yellow ${other}`, '__service_tool=$__service_first']
  return [
    'if [[ ! $__service_tool ]]; then',
    ...(versions === 'exact' ? [`__service_lacks ${missing}`] : run),
    'fi',
  ]
}

/** A sentence as a word of bash, with a variable in it. */
function sentence(
  make: (versions: { asked: string; found: string }) => string,
  asked: string,
  variable: string,
): string {
  const [before = '', after = ''] = make({ asked, found: '\0' }).split('\0')
  return `${quote(before)}"${variable}"${quote(after)}`
}
