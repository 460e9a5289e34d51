import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Repository } from '../support/codehost/tables.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const host = await startCodehost()
const running: ServiceProcess[] = []

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()))
  await host.stop()
})

async function start(ROLE: string): Promise<ServiceProcess> {
  const env = { DATABASE_URL: urlOf(connection), MASTER_KEY: '03'.repeat(32), LOG_LEVEL: 'silent' }
  const given = { ...env, ...appSettings(host), ROLE, DATA_DIR: scratchFolder() }
  const started = await startProcess(given)
  running.push(started)
  return started
}

const count = 500
const commits = 50

/** The result of a push, which its commit shows in a single status: there is no runner. */
const kinds = [
  { file: 'script: make', message: 'Build it', says: 'pending: Build queued' },
  {
    file: 'script: [',
    message: 'Break it',
    says:
      'error: .service.yml:2 syntax error: The file ends in the middle of a value. Add what closes ' +
      'it, or remove it.',
  },
  {
    file: 'script: make',
    message: 'Leave it [skip ci]',
    says: 'success: No build: skipped by commit message: it contains [skip ci]',
  },
] as const

const kindOf = (index: number) => kinds[(index % commits) % kinds.length] ?? kinds[0]

test('no push out of 500 is lost or duplicated, even if the worker is killed twice', async () => {
  const repository = await host.addRepository()
  const shas = await makeCommits(repository)
  const web = await start('web')
  const first = await start('worker')
  // The service finds the installations of the app on its own.
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select('active').execute()
    expect(known).toEqual([{ active: true }])
  })

  host.setWebhookUrl(`${web.url}/webhooks/codehost`)
  for (const answer of await pushToBranches(repository, shas)) expect(answer).toBe(204)
  await killWhen(first, 100)
  await killWhen(await start('worker'), 300)
  await start('worker')
  await eventually(async () => expect(await decided()).toBe(count), patience)
  await atRest(db, patience)

  const requests = await db.selectFrom('requests').select('delivery_id').execute()
  expect(requests).toHaveLength(count)
  expect(new Set(requests.map(({ delivery_id }) => delivery_id)).size).toBe(count)
  // Of the ten branches of a commit, the branch of the newest request is shown, because all are
  // alike.
  const shown = shas.map((sha) => host.statuses(repository, sha)[0])
  expect(shown.map((each) => each && withoutBranch(inWords(each)))).toEqual(
    shas.map((_, index) => kindOf(index).says),
  )
  const built = await db.selectFrom('builds').select('request_id').execute()
  const wanted = shas.filter((_, index) => kindOf(index) !== kinds[2])
  expect(built).toHaveLength((wanted.length * count) / commits)
  expect(new Set(built.map(({ request_id }) => request_id)).size).toBe(built.length)
}, 400_000)

function inWords({ state, description }: { state: string; description: string | null }): string {
  return `${state}: ${description}`
}

const withoutBranch = (words: string) => words.replace(/: branch [\w-]+: /, ': ')

async function makeCommits(repository: Repository): Promise<string[]> {
  const shas: string[] = []
  for (let index = 0; index < commits; index += 1) {
    const { file, message } = kindOf(index)
    const files = { '.service.yml': `# ${index}\n${file}\n` }
    shas.push(await host.commit(repository, { message, files }))
  }
  return shas
}

/**
 * Pushes new branches, all at once, and returns the final response to each webhook: one without a
 * response within ten seconds, the limit of a code host, is redelivered.
 */
async function pushToBranches(repository: Repository, shas: readonly string[]) {
  await host.pushRef(repository, 'refs/heads/branch-0', { sha: shas[0] ?? '' })
  const sample = host.deliveries.at(-1)
  const payload = sample?.request.payload as { head_commit: object }
  const others = Array.from({ length: count - 1 }, (_, index) => {
    const after = shas[(index + 1) % commits]
    const { message } = kindOf(index + 1)
    const head_commit = { ...payload.head_commit, id: after, message }
    return deliverUntilAnswered({
      event: 'push',
      payload: { ...payload, ref: `refs/heads/branch-${index + 1}`, after, head_commit },
      installation_id: host.refTo(repository).installation,
      repository_id: repository.id,
    })
  })
  return [sample?.status_code, ...(await Promise.all(others))]
}

async function deliverUntilAnswered(parcel: Parameters<typeof host.deliver>[0]) {
  const guid = randomUUID()
  for (let tries = 0; tries < 10; tries += 1) {
    const delivery = await host.deliver({ ...parcel, guid, redelivery: tries > 0 })
    if (delivery?.status_code !== 504) return delivery?.status_code
  }
  return 504
}

/** Seconds that one part of it can take on a machine with other work. */
const patience = 120

async function killWhen({ child, gone }: ServiceProcess, wanted: number): Promise<void> {
  await eventually(async () => expect(await decided()).toBeGreaterThanOrEqual(wanted), patience)
  child.kill('SIGKILL')
  await gone
}

async function decided(): Promise<number> {
  const { finished } = await db
    .selectFrom('requests')
    .select((eb) => eb.fn.countAll().as('finished'))
    .where('state', '=', 'finished')
    .executeTakeFirstOrThrow()
  return Number(finished)
}
