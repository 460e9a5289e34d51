import { quote } from '../shell/bash.ts'
import { findTool } from './check-tool.ts'
import { allLanguageTools } from './language-tools.ts'
import { shellLog } from '../shell/shell-log.ts'
import { shellTools } from '../shell/shell-tools.ts'

const before = 'service_language:'

/** A program that prints which languages are there, a line for each; `readSurvey` reads its output. */
export function surveyProgram(): string {
  const lines = allLanguageTools().flatMap(([language, tool]) => [
    ...findTool(tool),
    // A pattern that nothing fits has it look at all versions.
    `__service_choose ${tool.option} '^$'`,
    `if [[ $__service_first ]]; then`,
    `  builtin printf '${before}%s\\t%s\\n' ${quote(language)} "$__service_versions"`,
    'fi',
  ])
  return ['{', 'exec </dev/null', shellLog, shellTools, ...lines, 'exit 0', '}', ''].join('\n')
}

export interface FoundLanguage {
  language: string
  /** As they are on the path, then those of version managers; empty for a tool that tells none. */
  versions: string[]
}

export function readSurvey(output: string): FoundLanguage[] {
  return output.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith(before)) return []
    const [language = '', versions = ''] = line.slice(before.length).split('\t')
    return [{ language, versions: versions.split(', ').filter(Boolean) }]
  })
}
