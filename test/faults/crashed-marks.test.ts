// The effect of a webhook is not repeated when the server loses power right after it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openDatabase, type OpenDatabase } from '../../src/store/sql/connection.ts'
import { type Example, exampleOf, openDoor } from '../bot/door.ts'
import { eventually } from '../support/app-story.ts'
import { testContext } from '../support/context.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

interface CheckPayload extends Example {
  check_run: { external_id: string }
  sender: { login: string }
}

const again = exampleOf('check_run', 'rerequested') as CheckPayload
const folder = mkdtempSync(path.join(tmpdir(), 'build-service-crashed-'))

let server: EmbeddedServer
let open: OpenDatabase

async function start(): Promise<void> {
  server = await startEmbedded(folder)
  open = openDatabase(server.connection, () => {})
}

/** As if the machine lost power: the server writes nothing more. */
async function crash(): Promise<void> {
  const [pid = ''] = readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGQUIT')
  await eventually(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'))
  await open.close()
}

beforeAll(async () => {
  await start()
  await migrate(open.db, migrations)
})

afterAll(async () => {
  await open.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('builds restarted from a check stay marked as restarted', async () => {
  const codehost = memoryCodehost()
  codehost.roles.set(again.sender.login, { pull: true, push: true, admin: false })
  const make = factories(open.db)
  const repository = await make.repository({ codehost_id: again.repository?.id ?? 0 })
  const build = await make.build({ repository, state: 'failed' })
  await make.job({ build, state: 'failed' })
  const deliver = await openDoor(open.db, testContext(open.db, { codehost }))
  const pressed = (id: number) => ({
    ...again,
    check_run: { ...again.check_run, external_id: String(id) },
  })
  // The mark of the previous webhook is not on the disk yet, so the server is not idle.
  await deliver('check_run', pressed(999_999))
  const told = await deliver('check_run', pressed(build.id))
  expect(told).toMatchObject({ state: 'processed', outcome: expect.stringMatching(/restarted/) })

  await crash()
  await start()
  const kept = open.db.selectFrom('deliveries').select(['state', 'outcome']).orderBy('id', 'desc')
  expect(await kept.executeTakeFirst()).toEqual({ state: 'processed', outcome: told?.outcome })
})
