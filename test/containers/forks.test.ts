// FORK_APPROVAL, refused in one case and safe in the other: a stranger's pull request searches for
// everything of the service, in a container of an engine whose root is an ordinary user.
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { logInAt } from '../attack/people-in-play.ts'
import { appSettings, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { command } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import {
  addresses,
  startTestEngine,
  type TestEngine,
  whyNoEngine,
} from '../support/docker/engine.ts'
import { importImage } from '../support/docker/images.ts'
import { relayTo } from '../support/docker/relay.ts'
import { capturedLog } from '../support/log.ts'
import { needs } from '../support/needs.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()

describe(
  'FORK_APPROVAL',
  needs({ tests: 'of forks in containers', missing: whyNoEngine() }),
  () => {
    const folder = mkdtempSync('/tmp/forks-')
    let engine: TestEngine
    afterAll(async () => {
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const settings = () => ({
      DOCKER_HOST: engine.env['DOCKER_HOST'] ?? '',
      EXECUTOR: 'docker',
      FORK_APPROVAL: 'never',
      CLONE_IMAGE: 'tests:base',
      IMAGES: 'pull: never\ndefault: tests:base',
      PORT: '0',
    })

    describe('on an engine with user namespaces', () => {
      const secrets = { settings: 's3ttings-value', public: 'for-everyone' }
      let relay: Server
      let host: Awaited<ReturnType<typeof startCodehost>>
      let service: Service
      const dataDir = path.join(folder, 'data')
      const log = capturedLog()

      beforeAll(async () => {
        engine = await startTestEngine({ mapped: true })
        await engine.start()
        await importImage(engine.engine, 'tests:base')
        const Subnet = `${addresses}.200.0/24`
        const gateway = `${addresses}.200.1`
        const IPAM = { Config: [{ Subnet, Gateway: gateway }] }
        await engine.engine.createNetwork({ Name: 'tests', IPAM })
        host = await startCodehost()
        relay = await relayTo(host.url, gateway)
        const env = {
          ...settings(),
          ...appSettings(host),
          GHE_HOST: `${gateway}:${new URL(host.url).port}`,
          DATA_DIR: dataDir,
          DATABASE_URL: urlOf(connection),
          RUNNER_SLOTS: '2',
        }
        service = await startService(readConfig(env), { log: log.log })
        host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
      })
      afterAll(async () => {
        await service.stop()
        relay.close()
        await host.stop()
      })

      const logOf = async (id: number) => (await fetch(`${service.localUrl}/jobs/${id}/log`)).text()

      async function jobOf(event_type: 'push' | 'pull_request') {
        const found = await db
          .selectFrom('jobs')
          .innerJoin('builds', 'builds.id', 'jobs.build_id')
          .where('event_type', '=', event_type)
          .select(['jobs.id', 'jobs.state'])
          .executeTakeFirst()
        if (!found) throw new Error(`there is no ${event_type} yet`)
        return found
      }

      test("a stranger's pull request is built immediately, and cannot reach the service", async () => {
        const collaborators = { maintainer: 'admin' } as const
        const repository = await host.addRepository({ owner: 'octavia', collaborators })
        await eventually(async () => {
          expect(await db.selectFrom('repositories').select('id').execute()).toHaveLength(1)
        })
        const { token } = await logInAt(service, host, 'maintainer')
        await eventually(async () => {
          expect(await db.selectFrom('permissions').select('admin').execute()).toEqual([
            { admin: true },
          ])
        })
        const call = async (method: string, asked: string, body: object) => {
          const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
          const init = { method, headers, body: JSON.stringify(body) }
          expect((await fetch(`${service.localUrl}${asked}`, init)).status).toBe(200)
        }
        const add = (env_var: object) =>
          call('POST', '/settings/env_vars?repository_id=1', { env_var })
        await add({ name: 'SETTINGS', value: secrets.settings })
        await add({ name: 'PUBLIC', value: secrets.public, public: true })
        await call('PATCH', '/repos/1/settings', {
          settings: { share_encrypted_env_with_forks: true },
        })

        const targets = [new URL(service.localUrl).port, '5432'].flatMap((port) => [
          `127.0.0.1 ${port}`,
          `${addresses}.200.1 ${port}`,
        ])
        const sockets = [engine.env['DOCKER_HOST']?.replace('unix://', ''), '/var/run/docker.sock']
        const script = [
          'echo "public <$PUBLIC> settings <$SETTINGS> as $(id -u)"',
          'cat /proc/self/uid_map',
          `for target in ${[...targets, '169.254.169.254 80'].map((each) => `"${each}"`).join(' ')}; do`,
          '  set -- $target',
          '  timeout 3 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "reached $1:$2"',
          'done',
          `for file in ${[...sockets, dataDir, folder].join(' ')}; do [ -e "$file" ] && echo "found $file"; done`,
          'mount -t proc proc /mnt 2>/dev/null && echo "mounted"',
          'mknod /tmp/disk b 8 0 2>/dev/null && echo "made a device"',
          'echo 1 2>/dev/null >/proc/sys/kernel/panic && echo "changed the kernel"',
          'ls /proc | grep -c "^[0-9]" | sed "s/^/processes /"',
          'sleep ${WAITS:-0}',
          'echo the end',
        ].join('\n')
        const files = { '.service.yml': 'language: generic\nscript: bash look\n', look: script }
        await host.commit(repository, {
          files: {
            ...files,
            '.service.yml': 'language: generic\nenv: WAITS=15\nscript: bash look\n',
          },
        })
        await eventually(
          async () => expect(await jobOf('push')).toMatchObject({ state: 'started' }),
          60,
        )

        const fork = await host.fork(repository, 'hacker')
        await host.commit(fork, { branch: 'attack', files })
        await host.openPull(repository, { head: 'attack', from: fork })
        await eventually(
          async () => expect(await jobOf('pull_request')).toMatchObject({ state: 'passed' }),
          90,
        )
        const theirs = await logOf((await jobOf('pull_request')).id)
        expect(theirs).toContain(`public <${secrets.public}> settings <> as 0`)
        // Root in the container is an ordinary user of the machine.
        expect(theirs).toMatch(/^ +0 +[1-9]\d{4,} +65536\r?$/m)
        expect(theirs).not.toMatch(/reached|found \/|mounted|made a device|changed the kernel/)
        const [, processes] = /processes (\d+)/.exec(theirs) ?? []
        expect(Number(processes)).toBeLessThan(15)
        expect(theirs).toContain('the end')
        await eventually(
          async () => expect(await jobOf('push')).toMatchObject({ state: 'passed' }),
          60,
        )
        expect(await logOf((await jobOf('push')).id)).toContain('settings <[secure]>')
        expect(log.text()).not.toContain(secrets.settings)
      }, 300_000)

      test('doctor reports which forks run without an approval', async () => {
        const env = {
          ...settings(),
          DATA_DIR: path.join(folder, 'examined'),
          FORK_APPROVAL: 'first',
        }
        const { stdout } = await command(['doctor'], { env })
        expect(stdout).toContain(
          'pull requests from forks by known authors run without an approval and without secrets',
        )
      }, 120_000)
    })

    describe('where fork builds could become root', () => {
      test.each([
        ['docker', 'set "userns-remap" of the engine'],
        ['process', 'jobs run without containers: set EXECUTOR=docker'],
      ])(
        '%s: the service does not start, and doctor reports a failure',
        async (EXECUTOR, says) => {
          await engine.stop()
          engine = await startTestEngine()
          await engine.start()
          await importImage(engine.engine, 'tests:base')
          const env = { ...settings(), EXECUTOR, DATA_DIR: path.join(folder, EXECUTOR) }
          const started = await command(['start'], { env })
          expect(started.code).not.toBe(0)
          expect(started.stderr).toContain('FORK_APPROVAL=never would run code of strangers')
          expect(started.stderr).toContain(says)
          const { stdout } = await command(['doctor'], { env })
          expect(stdout).toContain(says)
        },
        180_000,
      )
    })
  },
)
