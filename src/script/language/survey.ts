import { quote } from '../shell/bash.ts'
import { shellLog } from '../shell/shell-log.ts'
import { shellTools } from '../shell/shell-tools.ts'
import { shellVersions } from '../shell/shell-versions.ts'
import { findTool } from './check-tool.ts'
import { allLanguageTools } from './language-tools.ts'

const before = 'service_language:'

/** A program that prints the available languages, one per line; `readSurvey` reads its output. */
export function surveyProgram(): string {
  // A version that no program meets makes it check all of them.
  const lines = allLanguageTools().flatMap(([language, tool]) => [
    ...findTool(tool),
    `__service_choose ${tool.tells.map(quote).join(' ')}`,
    `if [[ $__service_first ]]; then`,
    `  builtin printf '${before}%s\\t%s\\n' ${quote(language)} "$__service_versions"`,
    'fi',
  ])
  return [
    '{',
    'exec </dev/null',
    shellLog,
    shellVersions,
    shellTools,
    '__service_meet none',
    ...lines,
    'exit 0',
    '}',
    '',
  ].join('\n')
}

export interface FoundLanguage {
  language: string
  /** Versions on the path, then those of version managers; empty for a tool that reports none. */
  versions: string[]
}

export function readSurvey(output: string): FoundLanguage[] {
  return output.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith(before)) return []
    const [language = '', versions = ''] = line.slice(before.length).split('\t')
    return [{ language, versions: versions.split(', ').filter(Boolean) }]
  })
}
