import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { makeRepository } from '../script/repository.ts'
import { appSettings, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { capturedLog } from '../support/log.ts'
import { needs } from '../support/needs.ts'
import { urlOf } from '../support/service-process.ts'
import { generatedKey, md5Fingerprint, publicKeyOf } from '../support/ssh-keygen.ts'
import { sshServer, startSshd } from '../support/sshd.ts'
import { logInAt } from './people-in-play.ts'

// A job reads a private repository through a real SSH server, with the key in the settings. A
// fork's job, approved and with the same file, has neither that key nor the secrets, whatever it
// tries.

const { db, connection } = await ownDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'build-service-submodule-'))
const host = await startCodehost()
const config = readConfig({
  ...{ DATA_DIR: path.join(folder, 'data'), DATABASE_URL: urlOf(connection), PORT: '0' },
  ...{ RUNNER_SLOTS: '1', ...appSettings(host) },
})

let service: Service
beforeAll(async () => {
  service = await startService(config, { log: capturedLog().log })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits until a branch has been built, and returns its job. */
async function ended(branch: string) {
  let job: { id: number; state: string } | undefined
  await eventually(async () => {
    job = await db
      .selectFrom('jobs')
      .innerJoin('builds', 'builds.id', 'jobs.build_id')
      .innerJoin('commits', 'commits.id', 'builds.commit_id')
      .leftJoin('pull_requests', 'pull_requests.id', 'builds.pull_request_id')
      .where((where) =>
        where.or([
          where.and([where('event_type', '=', 'push'), where('branch', '=', branch)]),
          where('head_ref', '=', branch),
        ]),
      )
      .select(['jobs.id', 'jobs.state'])
      .executeTakeFirst()
    expect(['passed', 'failed', 'errored']).toContain(job?.state)
  }, 60)
  const log = await (await fetch(`${service.localUrl}/jobs/${job?.id}/log`)).text()
  return { state: job?.state, log }
}

const printing = String.raw`
printf 'public <%s>\n' "$PUBLIC"
printf 'secret <%s>\n' "$SECRET"
printf 'branch <%s>\n' "$BRANCH"
cat part/file || echo 'no part'
`

test(
  'a job clones a private submodule over ssh, and prints its variables; a fork does neither',
  { ...needs(sshServer), timeout: 240_000 },
  async () => {
    const key = generatedKey('-t', 'ed25519')
    const part = await makeRepository(path.join(folder, 'part'))
    const sha = await part.commit('of the private part')
    const server = await startSshd(part.folder, publicKeyOf(key))
    onTestFinished(() => server.stop())
    const logins = () => server.log().match(/^Accepted publickey/gm)?.length ?? 0

    const repository = await host.addRepository({ collaborators: { maintainer: 'admin' } })
    await eventually(async () => {
      expect(await db.selectFrom('repositories').select('id').execute()).toHaveLength(1)
    })
    const { id } = await db.selectFrom('repositories').select('id').executeTakeFirstOrThrow()
    const { token } = await logInAt(service, host, 'maintainer')
    await eventually(async () => {
      expect(await db.selectFrom('permissions').select('admin').execute()).toEqual([
        { admin: true },
      ])
    })
    async function call(asked: string, body?: object): Promise<void> {
      const [method = '', address = ''] = asked.split(' ')
      const answer = await fetch(service.localUrl + address, {
        method,
        headers: {
          authorization: `token ${token}`,
          ...(address.startsWith('/request/') ? { 'service-api-version': '3' } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect([address, answer.status]).toEqual([address, 200])
    }
    const add = (env_var: object) =>
      call(`POST /settings/env_vars?repository_id=${id}`, { env_var })
    await add({ name: 'PUBLIC', value: 'for-everyone', public: true })
    await add({ name: 'SECRET', value: 'for-this-repository' })
    await add({ name: 'BRANCH', value: 'only-for-main', branch: 'main' })
    await call(`PATCH /settings/ssh_key/${id}`, { ssh_key: { value: key } })

    const files = {
      '.service.yml': 'language: generic\nscript: bash print-all\n',
      '.gitmodules': `[submodule "part"]\n  path = part\n  url = ${server.url}\n`,
      part: { submodule: sha },
      'print-all': printing,
    }
    await host.commit(repository, { files })
    const own = await ended('main')
    expect(own.log).toContain('public <for-everyone>')
    expect(own.log).toContain('secret <[secure]>')
    expect(own.log).toContain('branch <[secure]>')
    expect(own.log).toContain('of the private part')
    expect(own.log).toContain(`fingerprint ${md5Fingerprint(key)}`)
    expect(own.state).toBe('passed')
    expect(logins()).toBeGreaterThan(0)
    // The server has seen the signature of a key that lets its owner in: the key need not be in any
    // file.
    const before = logins()

    await host.commit(repository, { branch: 'other', files: { ...files, other: '' } })
    expect((await ended('other')).log).toContain('branch <>')
    expect(logins()).toBeGreaterThan(before)

    const fork = await host.fork(repository, 'hacker')
    const pull = async (branch: string, changed: Record<string, string>) => {
      const earlier = logins()
      await host.commit(fork, { branch, files: { ...files, ...changed } })
      await host.openPull(repository, { head: branch, from: fork })
      let request: number | undefined
      await eventually(async () => {
        const found = await db
          .selectFrom('builds')
          .innerJoin('pull_requests', 'pull_requests.id', 'builds.pull_request_id')
          .where('head_ref', '=', branch)
          .select('request_id')
          .executeTakeFirst()
        expect((request = found?.request_id)).toBeDefined()
      })
      await call(`POST /request/${request}/approve`)
      const { state, log } = await ended(branch)
      expect(log).not.toContain('of the private part')
      expect(log).toContain('so it does not get the SSH key of the repository settings')
      expect(log).not.toContain('SSH key from')
      expect(log).not.toContain('[secure]')
      expect(logins()).toBe(earlier)
      return { state, log }
    }

    const alike = await pull('alike', { alike: '' })
    expect(alike.state).toBe('errored')
    expect(alike.log).toContain('The submodules cannot be checked out.')
    expect(alike.log).not.toContain('<')

    const cunning = await pull('cunning', {
      '.service.yml': 'language: generic\ngit:\n  submodules: false\nscript: bash print-all\n',
      'print-all': [
        'git submodule update --init 2>&1',
        'export GIT_SSH_COMMAND="ssh -o StrictHostKeyChecking=accept-new"',
        ...['git submodule update --init 2>&1', 'ssh-add -l 2>&1', printing],
      ].join('\n'),
    })
    expect(cunning.log).toContain('Host key verification failed.')
    expect(cunning.log).toContain('public <for-everyone>')
    expect(cunning.log).toContain('secret <>')
    expect(cunning.log).toContain('branch <>')
    expect(cunning.log).toContain('no part')
    expect(cunning.log).toContain('Permission denied (publickey)')
  },
)
