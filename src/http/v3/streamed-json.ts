import { indent } from './json-type.ts'

/** Before each member of an object that is streamed. */
export const beforeMember = `\n${' '.repeat(indent)}`

/** An object in JSON, laid out like all of V3, up to its end: further members can follow. */
export function begun(members: object): string {
  return JSON.stringify(members, null, indent).slice(0, -'\n}'.length)
}

/** A further member of it, which is the last one: a list, whose entries are read while it is sent. */
export async function* lastList<T>(
  name: string,
  pages: AsyncIterable<readonly T[]>,
  show: (entry: T) => object,
): AsyncGenerator<string> {
  yield `,${beforeMember}"${name}": [`
  let between = ''
  for await (const entries of pages) {
    const list = JSON.stringify(entries.map(show), null, indent)
    // It stands one level further in. Within texts line ends are escaped.
    yield between + list.slice('['.length, -'\n]'.length).replaceAll('\n', beforeMember)
    between = ','
  }
  yield `${beforeMember}]\n}`
}
