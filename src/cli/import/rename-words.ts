import {
  missingFunctions,
  observedTexts,
  observedWord,
  renamedWords,
} from '../../domain/config/observed-names.ts'
import type { Edit } from '../../lint/finding.ts'
import type { Difference } from './difference.ts'

/** The edits that rename variables and functions in a text, whole words only. */
export function wordEdits(text: string): Edit[] {
  return [...text.matchAll(observedWord)].flatMap(({ 0: word, index }) => {
    const name = renamedWords.get(word)
    return name === undefined ? [] : { start: index, end: index + word.length, text: name }
  })
}

/** The variables that a text sets itself, such as `TRAVIS_X=1`: they belong to the project. */
export function variablesSetIn(text: string): string[] {
  const setting = /(?<![\w${.(])(TRAVIS_\w+)(?:=|['"]?: )(?!=|\s*["']?\$\{?\1\b)/g
  return [...text.matchAll(setting)].map(([, name = '']) => name)
}

/** Names in a text that mean nothing here, comments aside; `own` contains the project's variables. */
export function mentionsIn(file: string, text: string, own: ReadonlySet<string>): Difference[] {
  return text.split('\n').flatMap((written, index) => {
    if (/^\s*(?:#(?!!)|\/\/)/.test(written)) return []
    const found = [...namesIn(written, own), ...textsIn(written)]
    return found.map((each) => ({ ...each, file, line: index + 1 }))
  })
}

type Mention = Pick<Difference, 'kind' | 'text'>

function namesIn(line: string, own: ReadonlySet<string>): Mention[] {
  const words = new Set([...line.matchAll(observedWord)].map(([word]) => word))
  return [...words].flatMap((word): Mention[] => {
    if (renamedWords.has(word) || own.has(word)) return []
    if (missingFunctions.has(word)) {
      const text = `"${word}" is a function that jobs do not have here: define it, or remove the line`
      return [{ kind: 'name', text }]
    }
    if (!word.startsWith('TRAVIS_')) return []
    const text =
      `"${word}" is not set by this service: set it in the settings of the repository or under ` +
      '"env", or remove the line'
    return [{ kind: 'name', text }]
  })
}

function textsIn(line: string): Mention[] {
  return observedTexts.flatMap(({ pattern, is, advice }): Mention[] => {
    const [found] = pattern.exec(line) ?? []
    return found === undefined ? [] : [{ kind: is, text: `"${found}" ${advice}` }]
  })
}
