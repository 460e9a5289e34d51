import { indent } from './json-type.ts'

/** Text before each member of a streamed object. */
export const beforeMember = `\n${' '.repeat(indent)}`

/** An object in V3's JSON layout without its end, so that further members can follow. */
export function begun(members: object): string {
  return JSON.stringify(members, null, indent).slice(0, -'\n}'.length)
}

/** The last member of a streamed object: a list with one entry, whose `content` is read while it is sent. */
export async function* lastEntry(
  name: string,
  entry: { content: string },
  texts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const [before, after] = listed([{ ...entry, content: '' }]).split('""')
  yield `,${beforeMember}"${name}": [${before}"`
  for await (const text of texts) yield JSON.stringify(text).slice(1, -1)
  yield `"${after}${beforeMember}]\n}`
}

/** The last member of a streamed object: a list, whose entries are read while it is sent. */
export async function* lastList<T>(
  name: string,
  pages: AsyncIterable<readonly T[]>,
  show: (entry: T) => object,
): AsyncGenerator<string> {
  yield `,${beforeMember}"${name}": [`
  let between = ''
  for await (const entries of pages) {
    yield between + listed(entries.map(show))
    between = ','
  }
  yield `${beforeMember}]\n}`
}

/** Entries in V3's JSON layout, without the brackets around them. */
function listed(entries: readonly object[]): string {
  const list = JSON.stringify(entries, null, indent)
  // Indents by one more level. Line ends within strings are escaped, so they are not affected.
  return list.slice('['.length, -'\n]'.length).replaceAll('\n', beforeMember)
}
