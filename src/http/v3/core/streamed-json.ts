import { indent } from './json-type.ts'

/** Text before each member of a streamed object. */
export const beforeMember = `\n${' '.repeat(indent)}`

/** An object in V3's JSON layout without its end, so that further members can follow. */
export function begun(members: object): string {
  return JSON.stringify(members, null, indent).slice(0, -'\n}'.length)
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
    const list = JSON.stringify(entries.map(show), null, indent)
    // Indents by one more level. Line ends within strings are escaped, so they are not affected.
    yield between + list.slice('['.length, -'\n]'.length).replaceAll('\n', beforeMember)
    between = ','
  }
  yield `${beforeMember}]\n}`
}
