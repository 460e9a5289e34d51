import type { ScriptStep } from '../steps.ts'
import { compiledLanguages } from './compiled-languages.ts'
import type { Language, LanguageOf } from './language.ts'
import { runtimeLanguages } from './runtime-languages.ts'
import { scriptingLanguages } from './scripting-languages.ts'

export const generic: Language = {
  announce: [],
  install: [],
  script: [
    { say: 'yellow', text: '.service.yml has no script, so nothing is tested.' },
    { pass: true },
  ],
}

/** The languages with defaults, by their names in a job's config. */
export const languages: Readonly<Record<string, LanguageOf>> = {
  generic: () => generic,
  ...compiledLanguages,
  ...runtimeLanguages,
  ...scriptingLanguages,
}

/** The keys without which a language has no commands, for the guide. */
const example = { hxml: 'NAME.hxml', solution: 'NAME.sln' }

/** The languages with defaults and their commands, as Markdown for the guide to build files. */
export function languagesTable(): string {
  const rows = Object.entries(languages)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, languageOf]) => {
      const { install, script } = languageOf(example)
      return `| \`${name}\` | ${cell(install)} | ${cell(script)} |`
    })
  return ['| Language | `install` | `script` |', '|---|---|---|', ...rows].join('\n')
}

function cell(steps: readonly ScriptStep[]): string {
  const lines = [...new Set(commandsIn(steps))].map((line) => `\`${line}\``)
  return lines.length > 0 ? lines.join(', ') : '–'
}

function commandsIn(steps: readonly ScriptStep[]): string[] {
  return steps.flatMap((step) => {
    if ('run' in step) return [step.run]
    return 'when' in step ? [...commandsIn(step.yes), ...commandsIn(step.no)] : []
  })
}
