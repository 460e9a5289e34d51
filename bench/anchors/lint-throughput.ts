// The least that a linter of YAML has to do: parse the file, with the positions of everything in it.
import { LineCounter, parseDocument } from 'yaml'

export function parseAll(texts: readonly string[]): number {
  let errors = 0
  for (const text of texts) {
    const lineCounter = new LineCounter()
    errors += parseDocument(text, { version: '1.1', lineCounter }).errors.length
  }
  return errors
}
