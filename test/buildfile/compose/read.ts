import { type Composed, composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { plainNode } from '../../support/plain-node.ts'

/** A file that can be read. */
export function composed(text: string): Composed {
  const file = composeText(text)
  if ('error' in file) throw new Error(`${file.error.message} ${JSON.stringify(text.slice(0, 80))}`)
  return file
}

/** What a file says, without places. */
export const said = (text: string) => plainNode(composed(text).root)

/** What the value under the only key of a file is. */
export function valueOf(written: string): unknown {
  const [entry] = composed(`key: ${written}`).root.entries
  return entry && plainNode(entry.value)
}

/** Why a file cannot be read, and where: line and column, from 1, in the file as given. */
export function refusal(text: string) {
  const file = composeText(text)
  if (!('error' in file)) throw new Error(`This can be read: ${JSON.stringify(text.slice(0, 80))}`)
  const { kind, message, hint, at } = file.error
  const { line, column } = file.prepared.written(at)
  return { kind, message, hint, at: `${line}:${column}` }
}
