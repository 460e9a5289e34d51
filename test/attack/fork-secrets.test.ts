import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { encryptSecure } from '../../src/secrets/secure-value.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { capturedLog } from '../support/log.ts'
import { needs } from '../support/needs.ts'
import { urlOf } from '../support/service-process.ts'
import { sshAgent } from '../support/ssh-agent.ts'
import { generatedKey } from '../support/ssh-keygen.ts'
import { logInAt } from './people-in-play.ts'

// A pull request from a fork makes its job print everything it can find, in each encoding that the
// masker knows. A push with the secrets does the same, so that the masker has work to do. Meanwhile
// a user is logged in, whose session and tokens must stay out of reach.

const secrets = {
  settings: `s3ttings-pa$$word "quoted" ünd/+?&`,
  branch: 'br4nch-only-value',
  file: 'f1le-only-value',
  long: 'l0ng-value/with+signs?that>encode~in&two:ways, of-more-than-76-signs-in-base64',
  several: 'f1rst-line-of-several "quoted"\ns3cond-line?of>several~\nth1rd-line-of-several',
  quoted: `it's-a-v4lue & isn't "sh0wn"`,
}
const shown = 'for-everyone-to-see'
/** The session and the tokens of a logged-in user, and the credentials of the app. */
const others: string[] = []
const sshKey = sshAgent.missing === undefined ? generatedKey('-t', 'ed25519') : ''

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-secrets-'))
const host = await startCodehost()
const log = capturedLog()
const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' }
const config = readConfig({ ...env, ...appSettings(host) })

let service: Service
beforeAll(async () => {
  service = await startService(config, { log: log.log })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Prints a variable in every form that a program is likely to make of it. */
const script = `
set -f
printf 'public <%s>\\n' "$PUBLIC"
printf 'flag <%s>\\n' "$SERVICE_SECURE_ENV_VARS"
for name in SETTINGS BRANCH FILE LONG SEVERAL QUOTED; do
  value=\${!name}
  printf '%s is <%s>\\n' "$name" "$value"
  printf '%s' "$value" | base64 -w0; echo
  printf 'user:%s' "$value" | base64 -w0; echo
  printf '%s' "$value" | base64
  printf '%s' "$value" | base64 | tr +/ -_
  env | base64
  env | base64 -w 64
  printf '%s' "$value" | od -An -v -tx1
  printf '%s' "$value" | od -An -v -tx1 | tr -d ' '
  url=
  for ((at = 0; at < \${#value}; at++)); do
    case \${value:at:1} in
      [a-zA-Z0-9.~_-]) url+=\${value:at:1} ;;
      ü) url+=%C3%BC ;;
      *) printf -v url '%s%%%02X' "$url" "'\${value:at:1}" ;;
    esac
  done
  printf '%s\\n' "$url"
  printf '%q\\n' "$value"
  (LC_ALL=C; printf '%q\\n' "$value")
  printf '%s\\n' "$value" | sed 's/&/\\&amp;/g; s/</\\&lt;/g; s/>/\\&gt;/g; s/"/\\&quot;/g'
  printf '%s\\n' "$value" | grep --color=always -e '[a-f]'
  (set -x; : "$value")
  for ((at = 0; at < \${#value} && \${#value} < 40; at++)); do printf '%s' "\${value:at:1}"; sleep 0.01; done; echo
  printf '{"value":"%s"}\\n' "\${value//\\"/\\\\\\"}"
done
ssh-add -l 2>&1
env
cat /proc/self/environ /proc/$PPID/environ /proc/$PPID/cmdline 2>/dev/null
ls -la /job 2>/dev/null
cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'
cat DATA/master.key DATA/runner.json 2>&1; grep -r bsvc_ DATA 2>&1
echo the end
`

const logOf = async (id: number) => (await fetch(`${service.localUrl}/jobs/${id}/log`)).text()

async function jobOf(event_type: 'push' | 'pull_request') {
  const found = await db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .where('event_type', '=', event_type)
    .select(['jobs.id', 'jobs.state', 'builds.id as build_id'])
    .orderBy('jobs.id', 'desc')
    .executeTakeFirst()
  if (!found) throw new Error(`there is no ${event_type} yet`)
  return found
}

/** The machine's list of processes while this test runs. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')
}

/** Everything in every table, as text. */
async function contentsOfDatabase(): Promise<string> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const texts: string[] = []
  for (const { schema, name } of rows) {
    const { rows: found } = await sql<{ text: string | null }>`
      select string_agg(each::text, ' ') as text from ${sql.id(schema, name)} as each
    `.execute(db)
    texts.push(found[0]?.text ?? '')
  }
  return texts.join('\n')
}

const colour = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;]*[mK]`, 'g')

/**
 * The secrets, and lines of secrets, that a text contains, plain or encoded, with any line breaks.
 */
function leakedIn(coloured: string): string[] {
  const text = coloured.replaceAll(colour, '')
  const unbroken = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const digits = text.replaceAll(/[\s:]/g, '').toLowerCase()
  const values = [...Object.values(secrets), ...others, sshKey.split('\n')[1] ?? 'no key']
  return values
    .flatMap((value) => [value, ...value.split('\n')])
    .filter((value) => {
      const written = [
        value,
        JSON.stringify(value).slice(1, -1),
        encodeURIComponent(value).replaceAll("'", '%27'),
        inPage(value),
        // As bash traces and quotes it.
        value.replaceAll("'", String.raw`'\''`),
        value.replaceAll(/[^\w.-]/g, String.raw`\$&`),
      ]
      return (
        written.some((form) => text.includes(form)) ||
        innerForms(value).some((form) => unbroken.includes(form)) ||
        digits.includes(Buffer.from(value).toString('hex'))
      )
    })
}

function inPage(value: string): string {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Twelve characters of a value in base64, for each of the three byte offsets. */
function innerForms(value: string): string[] {
  return [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + value)
      .toString('base64')
      .slice(4, 16),
  )
}

test(
  'a fork prints no secret in any encoding, and the secrets of a push are masked',
  { ...needs(sshAgent), timeout: 180_000 },
  async () => {
    const collaborators = { maintainer: 'admin' } as const
    const repository = await host.addRepository({ owner: 'octavia', name: 'hello', collaborators })
    await eventually(async () => {
      expect(await db.selectFrom('repositories').select('id').execute()).toHaveLength(1)
    })
    const { id } = await db.selectFrom('repositories').select('id').executeTakeFirstOrThrow()
    const person = await logInAt(service, host, 'maintainer')
    const { webhookSecret, clientSecret, privateKey } = host.app
    const [, line = ''] = privateKey.split('\n')
    others.push(...person.secrets, webhookSecret, clientSecret, line)
    const masterKey = readFileSync(path.join(dataDir, 'master.key'), 'utf8').trim()
    others.push(masterKey)
    await eventually(async () => {
      expect(await db.selectFrom('permissions').select('admin').execute()).toEqual([
        { admin: true },
      ])
    })
    async function call<T>(method: string, asked: string, body?: object): Promise<T> {
      const answer = await fetch(`${service.localUrl}${asked}`, {
        method,
        headers: { authorization: `token ${person.token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect(answer.status).toBe(200)
      return (await answer.json()) as T
    }
    const add = (env_var: object) =>
      call('POST', `/settings/env_vars?repository_id=${id}`, { env_var })
    await add({ name: 'SETTINGS', value: `'${secrets.settings}'` })
    await add({ name: 'LONG', value: `'${secrets.long}'` })
    await add({ name: 'SEVERAL', value: `'${secrets.several}'` })
    await add({ name: 'QUOTED', value: `$'it\\'s-a-v4lue & isn\\'t "sh0wn"'` })
    await add({ name: 'PUBLIC', value: shown, public: true })
    await add({ name: 'BRANCH', value: 'for all', public: true })
    await add({ name: 'BRANCH', value: secrets.branch, branch: 'main' })
    await call('PATCH', `/settings/ssh_key/${id}`, { ssh_key: { value: sshKey } })
    const { key } = await call<{ key: string }>('GET', `/repos/${id}/key`)
    const files = {
      '.service.yml': [
        ...['language: generic', 'env:', '  global:'],
        `    - secure: "${encryptSecure(key, `FILE=${secrets.file}`)}"`,
        ...['script: bash print-all'],
      ].join('\n'),
      'print-all': script.replaceAll('DATA', dataDir),
    }
    // Error messages show no secret either.
    const failures = await Promise.all(
      [`/users?access_token=${person.token}`, '/settings/env_vars', '/nowhere'].map(
        async (asked) => {
          const answer = await fetch(`${service.localUrl}${asked}`)
          return `${answer.status} ${await answer.text()}`
        },
      ),
    )
    expect(failures.map((text) => text.slice(0, 2))).toEqual(['40', '40', '40'])
    expect(leakedIn(failures.join())).toEqual([])
    const processes: string[] = []
    const looking = setInterval(() => processes.push(commandLines()), 50)
    onTestFinished(() => clearInterval(looking))
    await host.commit(repository, { files })
    await eventually(async () => expect(await jobOf('push')).toMatchObject({ state: 'passed' }), 60)
    const own = await logOf((await jobOf('push')).id)

    const fork = await host.fork(repository, 'hacker')
    await host.commit(fork, { branch: 'attack', files: { ...files, attack: 'x' } })
    await host.openPull(repository, { head: 'attack', from: fork })
    await eventually(async () =>
      expect(await jobOf('pull_request')).toMatchObject({ state: 'created' }),
    )
    const { build_id } = await jobOf('pull_request')
    // A maintainer approves the head, which must not share any secret.
    await db
      .updateTable('builds')
      .set({ waits_for_approval: false })
      .where('id', '=', build_id)
      .execute()
    const owner = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
    const { owner_id, owner_type } = owner
    await service.ctx.enqueue('jobs.schedule', { owner_id, owner_type })
    await eventually(
      async () => expect(await jobOf('pull_request')).toMatchObject({ state: 'passed' }),
      60,
    )
    const theirs = await logOf((await jobOf('pull_request')).id)

    expect(own).toContain(`public <${shown}>`)
    expect(own).toContain('flag <true>')
    for (const name of ['SETTINGS', 'BRANCH', 'FILE', 'LONG', 'SEVERAL', 'QUOTED']) {
      expect(own).toContain(`export ${name}=[secure]`)
      expect(own.replaceAll(/[\r\n]/g, '')).toMatch(new RegExp(`${name} is <(\\[secure\\])+>`))
    }
    expect(own).toContain(`export PUBLIC=${shown}`)
    expect(own).toMatch(/256 SHA256:\S+ a comment \(ED25519\)/)
    expect(leakedIn(own)).toEqual([])
    expect(processes.join('\n')).toContain('print-all')
    expect(leakedIn(processes.join('\n'))).toEqual([])

    expect(theirs).toContain(`public <${shown}>`)
    expect(theirs).toContain('flag <false>')
    expect(theirs).toContain('SETTINGS is <>')
    expect(theirs).toContain('BRANCH is <for all>')
    for (const name of ['FILE', 'LONG', 'SEVERAL', 'QUOTED'])
      expect(theirs).toContain(`${name} is <>`)
    expect(theirs).toContain('so it gets no secret variables')
    expect(theirs).not.toContain('[secure]')
    expect(theirs).toContain('Could not open a connection to your authentication agent.')
    expect(leakedIn(theirs)).toEqual([])

    await atRest(db)
    expect(leakedIn(await contentsOfDatabase())).toEqual([])
    expect(leakedIn(log.text())).toEqual([])
  },
)
