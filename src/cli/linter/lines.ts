import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import type { Writable } from 'node:stream'

/** The lines of a stream, each as soon as it has come; the last may lack its end. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
  yield pieces.join('') + decoder.end()
}

/** Writes, and waits while no one reads it. */
export async function writeTo(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
