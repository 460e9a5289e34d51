import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalCodehost } from '../../src/codehost/local/local-codehost.ts'
import { addRepository } from '../../src/codehost/local/register.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { keepReporting } from '../../src/service/local/local-changes.ts'
import { localDatabase } from '../../src/service/local/local-database.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { workTree } from '../support/git.ts'

const { db } = await ownDatabase()

/** The intake of a service that is without its database at first. */
async function intake(): Promise<{ url: string; statuses: number[]; mend: () => void }> {
  const statuses: number[] = []
  let status = 503
  const server = createServer((request, response) => {
    request.resume()
    statuses.push(status)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, statuses, mend: () => void (status = 204) }
}

test('a commit made while the database was unreachable is found within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url, statuses, mend } = await intake()
  const stop = new AbortController()
  const local = createLocalCodehost({ db: localDatabase(db) })
  const tree = workTree()
  tree.commit('Begin', { '.service.yml': 'script: make' })
  await addRepository(local, tree.folder, { build: true })
  const serving = { local, localUrl: url, ctx: { sealer: createSealer(Buffer.alloc(32)) } }
  await keepReporting(serving, testLog, stop.signal)
  expect(statuses).toEqual([503])

  mend()
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(() => expect(statuses).toEqual([503, 204]))
  stop.abort()
  vi.advanceTimersByTime(600_000)
  expect(statuses).toEqual([503, 204])
})
