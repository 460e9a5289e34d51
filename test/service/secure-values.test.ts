import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { appSettings, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { capturedLog } from '../support/log.ts'
import { needs } from '../support/needs.ts'
import { encryptedByOpenssl, openssl } from '../support/openssl.ts'
import { urlOf } from '../support/service-process.ts'

// Values encrypted with OpenSSL as official clients do, from the key that the service shows to the
// log of a job.

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-secure-'))
const host = await startCodehost()
const config = readConfig({
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' },
  ...appSettings(host),
})

let service: Service
beforeAll(async () => {
  service = await startService(config, { log: capturedLog().log })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function publicKeyOf(slug: string): Promise<string> {
  const answer = await fetch(`${service.localUrl}/repos/${slug}/key`)
  return ((await answer.json()) as { key: string }).key
}

test(
  'values encrypted with OpenSSL reach the job, and values for another key do not',
  { ...needs(openssl), timeout: 180_000 },
  async () => {
    const repository = await host.addRepository({ owner: 'octavia', name: 'hello' })
    await host.addRepository({ owner: 'acme', name: 'other' })
    await eventually(async () => {
      expect(await db.selectFrom('repositories').select('id').execute()).toHaveLength(2)
    })
    const [own, other] = [await publicKeyOf('octavia/hello'), await publicKeyOf('acme/other')]
    const encrypted = (key: string, text: string) =>
      `{ secure: "${encryptedByOpenssl(key, text)}" }`
    const script = String.raw`
for name in LINE SECOND MAP; do
  test -n "$\{!name}" && printf '%s is <%s>\n' "$name" "$\{!name}"
done
printf 'value of %s signs\n' "$\{#LINE}" "$\{#SECOND}" "$\{#MAP}"
printf 'lost <%s> <%s>\n' "$\{LOST-unset}" "$\{NAMED-unset}"
`.replaceAll('$\\{', '${')
    await host.commit(repository, {
      files: {
        '.service.yml': [
          ...['language: generic', 'env:', '  global:'],
          `    - ${encrypted(own, 'LINE=value-of-the-line SECOND="two words"')}`,
          `    - MAP: ${encrypted(own, 'value-of-the-map')}`,
          `    - ${encrypted(other, 'LOST=value-for-another-key')}`,
          `    - NAMED: ${encrypted(other, 'value-for-another-key')}`,
          'script: bash print-all',
        ].join('\n'),
        'print-all': script,
      },
    })
    let id = 0
    await eventually(async () => {
      const job = await db.selectFrom('jobs').select(['id', 'state']).executeTakeFirst()
      expect(job?.state).toBe('passed')
      id = job?.id ?? 0
    }, 60)
    const log = await (await fetch(`${service.localUrl}/jobs/${id}/log`)).text()
    for (const name of ['LINE', 'SECOND', 'MAP']) {
      expect(log).toContain(`export ${name}=[secure]`)
      expect(log).toContain(`${name} is <[secure]>`)
    }
    expect([...log.matchAll(/value of (\d+) signs/g)].map(([, length]) => length)).toEqual([
      ...['17', '9', '16'],
    ])
    expect(log).not.toMatch(/value-of|two words|value-for/)
    expect(log).toContain('lost <unset> <unset>')
    expect(log).toContain(
      'The encrypted variable at env.global[2] is left out: no key that this job has',
    )
    expect(log).toContain(
      'The variable NAMED (env.global[3].NAMED) is left out: no key that this job has',
    )
  },
)
