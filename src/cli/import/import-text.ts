import { type Composed, composeText } from '../../buildfile/compose/compose-text.ts'
import type { Entry, Span } from '../../buildfile/tree/node.ts'
import { renamedKeys, renamedValues } from '../../domain/config/observed-names.ts'
import { applyEdits } from '../../lint/edits.ts'
import type { Edit } from '../../lint/finding.ts'
import { wordEdits } from './rename-words.ts'
import { walk } from './walk.ts'

/** A build file with the names of this service. An unreadable file keeps its keys. */
export function importBuildFile(text: string): string {
  const composed = composeText(text)
  const keys = 'error' in composed ? [] : keyEdits(composed)
  return edited(text, [...wordEdits(text), ...keys])
}

/** A script with the names of this service. */
export function importScript(text: string): string {
  return edited(text, wordEdits(text))
}

function edited(text: string, found: readonly Edit[]): string {
  const edits = found.toSorted((one, other) => one.start - other.start)
  return applyEdits(text, [{ title: 'rename', edits, safe: true }]).text
}

/** The edits that rename keys and values of a build file. */
function keyEdits({ root, prepared }: Composed): Edit[] {
  const edits = new Map<number, Edit>()
  const add = (span: Span, from: string, to: string) => {
    const inSpan = prepared.text.slice(span.start, span.end).indexOf(from)
    // The text is written with escapes, or comes from no file.
    if (inSpan === -1 || span.start < 0) return
    const at = span.start + inSpan
    const [start, end] = [prepared.written(at).offset, prepared.written(at + from.length).offset]
    edits.set(start, { start, end, text: to })
  }
  walk(root, (node, path) => {
    // Names of variables belong to the project.
    if (node.kind !== 'map' || path.includes('env')) return
    for (const { key, at, value } of node.entries) {
      const name = renamedKeys.get(key.replaceAll('-', '_'))
      if (name !== undefined) add(at, key, likeKey(name, key))
      const text = renamedText({ key, value })
      if (text) add(value, ...text)
    }
  })
  return [...edits.values()]
}

const likeKey = (name: string, key: string) =>
  key.includes('-') ? name.replaceAll('_', '-') : name

/** A value with another name in this service, and that name. */
function renamedText({ key, value }: Pick<Entry, 'key' | 'value'>): [string, string] | undefined {
  if (value.kind !== 'str') return undefined
  const name = renamedValues.get(key)?.[value.value.toLowerCase()]
  return name === undefined ? undefined : [value.value, name]
}
