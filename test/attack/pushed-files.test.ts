// A push can contain any build file with many imports, and one thread reads the files of all
// pushes.
import { beforeEach, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { openReader } from '../../src/reader/open-reader.ts'
import type { Reader, ReadingTerms } from '../../src/reader/reader.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { directReader } from '../support/reader.ts'

const db = await testDatabase()
let codehost: MemoryCodehost
let repository: Repository

beforeEach(async () => {
  codehost = memoryCodehost()
  repository = await factories(db).repository()
})

const names = Array.from({ length: 23 }, (_none, index) => `part${index}.yml`)

/** A build file with 23 imports. */
function manyImports(): void {
  codehost.files.set(tip, `import: [${names.join(', ')}]\nscript: make\n`)
  for (const name of names) addFile(name, 'os: linux\n')
}

function addFile(name: string, text: string): void {
  codehost.files.set(`${repository.owner_name}/${repository.name}:${name}@${tip}`, text)
}

async function push(reader: Reader): Promise<void> {
  const ctx = { ...testContext(db, { codehost }), reader }
  const received = await receiveEvent(ctx, pushTo(repository))
  if ('request' in received) await acceptRequest(ctx, received.request.id)
}

/**
 * A reader that reports this many milliseconds for each reading, with the limits that it was given.
 */
function counting(spent: number) {
  const terms: ReadingTerms[] = []
  const reader: Reader = {
    async run(work, input, given) {
      terms.push(given)
      return { ...(await directReader.run(work, input, given)), spent }
    },
  }
  return { reader, terms }
}

const turn = () => ({ of: 'pushes', key: String(repository.id) })

test('a file with many imports is read twice, not once more for each import', async () => {
  manyImports()
  const { reader, terms } = counting(900)
  await push(reader)
  expect(terms).toEqual([
    { turn: turn(), spent: 0 },
    { turn: turn(), spent: 900 },
  ])
  const raw = await db.selectFrom('request_configs').select('source').execute()
  expect(raw).toHaveLength(24)
})

test('a chain of imports shares the time limit of one reading', async () => {
  codehost.files.set(tip, 'import: part0.yml\nscript: make\n')
  for (const [index, name] of names.entries()) addFile(name, `import: part${index + 1}.yml\n`)
  const reader = openReader({ onError: () => {} })
  await push({
    run: async (work, input, terms) => ({ ...(await reader.run(work, input, terms)), spent: 900 }),
  })
  await reader.close()
  const builds = db.selectFrom('builds').select(['state', 'config_error'])
  expect(await builds.execute()).toEqual([{ state: 'errored', config_error: 'too_costly' }])
})

test('imports beyond the maximum number are not all loaded', async () => {
  codehost.files.set(tip, `import: [${names.join(', ')}]\nscript: make\n`)
  const letters = ['a', 'b', 'c']
  for (const name of names) {
    const deeper = letters.map((letter) => `${letter}${name}`)
    addFile(name, `import: [${deeper.join(', ')}]\n`)
    for (const each of deeper) addFile(each, 'os: linux\n')
  }
  await push(directReader)
  expect(codehost.calls.filter((call) => call === 'file').length).toBeLessThan(50)
  const builds = db.selectFrom('builds').select(['state', 'config_error'])
  expect(await builds.execute()).toEqual([{ state: 'errored', config_error: 'import' }])
})
