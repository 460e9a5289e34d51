// How long it takes to read a finished log of 4 MB that has become an object in a folder.
//
// The anchor reads the same text from a gzip file.
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { LogPart } from '../src/domain/log/log.ts'
import type * as FileStore from '../src/objects/file-store.ts'
import type * as PackedLog from '../src/objects/packed-log.ts'
import { readGzip } from './anchors/read-object.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { built } from './harness/built.ts'
import { compare } from './harness/compare.ts'
import { inProcess } from './harness/windows.ts'

const { openFileStore } = await built<typeof FileStore>('objects/file-store.js')
const { packLog, unpackLog } = await built<typeof PackedLog>('objects/packed-log.js')

const parts: LogPart[] = Array.from({ length: 2000 }, (_, index) => ({
  number: index + 1,
  content: Array.from({ length: 40 }, (_line, line) => {
    const count = index * 40 + line
    return `npm http fetch GET 200 https://registry.example.org/package-${count} ${count % 997}ms\n`
  })
    .join('')
    .slice(0, 2100),
  final: index === 1999,
}))
const text = parts.map(({ content }) => content).join('')

async function* pages() {
  yield parts
}

/** The time of one call, of as many as fill some time. */
const timed = (work: () => Promise<unknown>) => async () => {
  const begun = performance.now()
  let rounds = 0
  let taken: number
  do {
    await work()
    rounds += 1
    taken = performance.now() - begun
  } while (taken < 100)
  return taken / rounds
}

await localBenchmark(
  { bench: 'read-object', goal: 2, better: 'lower', noise: 0.1 },
  async ({ plan, place }) => {
    const folder = place.folder('objects')
    const store = openFileStore({ place: 'file:', folder, creates: true })
    const { body, layout } = await packLog(pages())
    await store.put('log.gz', body)
    const file = `${folder}/anchor.gz`
    await writeFile(file, gzipSync(text))

    const get = (range: { start: number; end: number }) => store.get('log.gz', range)
    async function readObject(): Promise<string> {
      let read = ''
      for await (const page of unpackLog(layout, () => true, get)) {
        for (const { content } of page) read += content
      }
      return read
    }
    if ((await readObject()) !== text || (await readGzip(file)) !== text) {
      throw new Error('the texts differ')
    }
    const comparison = await compare(
      { candidate: timed(readObject), anchor: timed(() => readGzip(file)) },
      inProcess(plan),
    )
    return { comparison, further: { bytes: Buffer.byteLength(text), object_bytes: body.length } }
  },
)
