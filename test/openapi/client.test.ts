import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { makeWorld } from '../http/v3/world.ts'
import { scratchFolder } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { ownEnvironment, registryFor } from '../support/registry.ts'
import { documents } from './documents.ts'

const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']

const { db } = await ownDatabase()

type Client = (generation: string, base: string, token: string) => Promise<unknown>

/** A client, compiled against the types that are generated from the documents. */
async function compiledClient(): Promise<Client> {
  const cwd = scratchFolder()
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(command, args, { cwd, env: ownEnvironment })
  cpSync(path.join(import.meta.dirname, 'client'), cwd, { recursive: true })
  writeFileSync(path.join(cwd, 'package.json'), '{"type": "module", "private": true}')
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages)
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(path.join(cwd, `${name}.json`), JSON.stringify(document))
    await run('npx', 'openapi-typescript', `${name}.json`, '-o', `${name}.d.ts`)
  }
  await run('npx', 'tsc', '-p', '.')
  return async (...args) => {
    const { stdout } = await run(process.execPath, 'out/main.js', ...args)
    return JSON.parse(stdout)
  }
}

/** A service with one build in the repository, and what the client sees of it. */
async function seenBy(callAs: Client, generation: 'v2.1' | 'v3'): Promise<unknown> {
  await ownDatabase()
  const { people, open } = await makeWorld(db)
  await db.deleteFrom('builds').where('id', '!=', open.build.id).execute()
  const server = await createServer(testContext(db))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const prefix = generation === 'v3' ? '/v3' : ''
  try {
    return await callAs(generation, `http://127.0.0.1:${port}${prefix}`, people.admin.token)
  } finally {
    await server.close()
  }
}

test(
  'a client with types generated from the documents compiles, and can call the API',
  { ...needs(registryFor('of a generated client of the API')), timeout: 300_000 },
  async () => {
    const callAs = await compiledClient()
    expect(await seenBy(callAs, 'v2.1')).toEqual({
      hello: 'world',
      repos: ['acme/hidden', 'octavia/hello'],
      slug: 'octavia/hello',
      owned: 1,
      sha: expect.stringMatching(/^a+\d+$/),
      number: expect.stringMatching(/^1\.\d+$/),
      log: 'hello\n',
      removed: 'COLOUR',
      notices: ['The build was successfully restarted.'],
      missing: 404,
    })
    expect(await seenBy(callAs, 'v3')).toEqual({
      resources: true,
      login: 'local',
      slug: 'octavia/hello',
      branch: ['main'],
      log: 'hello\n',
      created: 'SHAPE',
      removed: 204,
      pending: 'restart',
      missing: 'not_found',
    })
  },
)
