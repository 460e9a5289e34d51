import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { createSealer, type Sealer } from '../../src/secrets/seal.ts'
import { sealedIn } from '../../src/secrets/sealed-records.ts'
import { decrypter } from '../../src/secrets/secure-value.ts'
import { startCommand, command, outcomeOf, scratchFolder } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)
const [older, newer] = [randomBytes(32), randomBytes(32)]
const [old, fresh] = [older.toString('hex'), newer.toString('base64')]

function build(args: string[], env: Record<string, string> = {}) {
  return command(args, {
    env: { DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection), MASTER_KEY: old, ...env },
  })
}

let repository: { id: number }
beforeAll(async () => {
  repository = await make.repository()
})

/** The key pair that a command or an endpoint has created, to decrypt values. */
async function privateKeyWith(sealer: Sealer): Promise<string> {
  const pair = await db.selectFrom('key_pairs').selectAll().executeTakeFirstOrThrow()
  return sealer.openText(sealedIn.keyPair(pair.repository_id), pair.sealed_private_key)
}

const shownValue = (stdout: string) => /^secure: "([\w+/=]+)"\n$/.exec(stdout)?.[1] ?? stdout

describe('build-service encrypt', () => {
  test('encrypts an argument for the repository, and creates a missing key pair', async () => {
    const { code, stdout } = await build(['encrypt', '-r', 'octavia/hello', 'TOKEN=hunter2'])
    expect(code).toBe(0)
    const key = await privateKeyWith(createSealer(older))
    expect(decrypter(key)(shownValue(stdout))).toBe('TOKEN=hunter2')
  }, 60_000)

  test('encrypts standard input, which does not appear in process lists', async () => {
    const env = { DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection), MASTER_KEY: old }
    const child = startCommand(['encrypt', '--repository', 'octavia/hello'], { env })
    child.stdin?.end('TOKEN=hunter3\n')
    const { code, stdout } = await outcomeOf(child)
    expect(code).toBe(0)
    const key = await privateKeyWith(createSealer(older))
    expect(decrypter(key)(shownValue(stdout))).toBe('TOKEN=hunter3')
  }, 60_000)

  test('fetches the key from another service, with a token if needed', async () => {
    const server = await createServer({ ...testContext(db), sealer: createSealer(older) })
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    try {
      const args = ['encrypt', '-r', 'octavia/hello', '--server', `${url}/`, 'A=1']
      const key = await privateKeyWith(createSealer(older))
      const open = await command(args, {})
      expect(decrypter(key)(shownValue(open.stdout))).toBe('A=1')

      await db.updateTable('repositories').set({ private: true }).execute()
      const closed = await command(args, {})
      expect([closed.code, closed.stdout]).toEqual([2, ''])
      expect(closed.stderr).toContain(
        'if it is private, set BUILD_SERVICE_TOKEN to an access token',
      )

      const user = await make.user()
      await make.permission(user, repository, 'pull')
      const asked = await command(args, { env: { BUILD_SERVICE_TOKEN: user.token } })
      expect(decrypter(key)(shownValue(asked.stdout))).toBe('A=1')
    } finally {
      await server.close()
      await db.updateTable('repositories').set({ private: false }).execute()
    }
  }, 60_000)

  test.each([
    [['-r', 'octavia/none', 'A=1'], 'the repository octavia/none is not known here'],
    [['-r', 'octavia/hello', ''], 'there is nothing to encrypt'],
    [['-r', 'octavia/hello', 'x'.repeat(502)], 'the key of octavia/hello encrypts 501 at most'],
    [['A=1'], "required option '-r, --repository <owner/name>' not specified"],
    [['-r', 'a/b', '--server', 'http://127.0.0.1:1', 'A=1'], 'cannot be reached'],
    [
      ['-r', 'a/b', '--server', 'example', 'A=1'],
      'give the address of the service, such as --server https://ci.example.org',
    ],
  ])(
    '%j is refused, with a remedy',
    async (args, said) => {
      const { code, stdout, stderr } = await build(['encrypt', ...args])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(said)
    },
    60_000,
  )
})

test('a server that is not a service is named, whatever it returns', async () => {
  const server = http.createServer((_request, response) => response.end('<p>hello</p>')).listen(0)
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  try {
    const place = `http://127.0.0.1:${port}`
    expect(await command(['encrypt', '-r', 'a/b', '--server', place, 'A=1'])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `build-service: ${place}/repos/a/b/key has no public key: is this the address of the service?\n`,
    })
  } finally {
    server.close()
  }
}, 60_000)

describe('build-service encrypted', () => {
  test('lists the values that the current key can decrypt, and those that it cannot', async () => {
    const { stdout } = await build(['encrypt', '-r', 'octavia/hello', 'TOKEN=hunter2'])
    const secure = shownValue(stdout)
    const branches = [
      ['main', { env: { global: [{ A: '1' }, { TOKEN: { secure, line: true } }] } }],
      ['next', { deploy: [{ api_key: { secure: 'bm90IGVuY3J5cHRlZA==' } }] }],
    ] as const
    for (const [name, config] of branches) {
      const known = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
      const made = await make.build({ repository: known, config: JSON.stringify(config) })
      await db
        .insertInto('branches')
        .values({ repository_id: known.id, name, last_build_id: made.id })
        .execute()
    }
    const listed = await build(['encrypted', '-r', 'octavia/hello', '--json'])
    const common = { repository: 'octavia/hello' }
    expect(JSON.parse(listed.stdout)).toEqual([
      { ...common, branch: 'main', build: 1, path: 'env.global[1].TOKEN', readable: true },
      { ...common, branch: 'next', build: 2, path: 'deploy[0].api_key', readable: false },
    ])
    const words = await build(['encrypted', '-r', 'octavia/hello'])
    expect(words.stdout).toMatch(/octavia\/hello +main +#1 +env\.global\[1\]\.TOKEN +readable\n/)
    expect(words.stdout).toMatch(/a new key pair would make 1 of them unreadable/)
    expect(words.stdout + listed.stdout).not.toContain('hunter2')
  }, 60_000)
})

describe('build-service rotate-keys', () => {
  const records = {
    env_var: sealedIn.envVar('11111111-1111-4111-8111-111111111111'),
    delivery: { type: 'delivery', id: 'guid-sealed' },
  }

  beforeEach(async () => {
    await db.deleteFrom('env_vars').execute()
    await db.deleteFrom('ssh_keys').execute()
    await db.deleteFrom('key_pairs').execute()
    await db.deleteFrom('deliveries').execute()
    await db.deleteFrom('key_fingerprint').execute()
    const sealer = createSealer(older)
    const repository_id = repository.id
    await db
      .insertInto('key_fingerprint')
      .values({ fingerprint: sealer.fingerprints[0] ?? '' })
      .execute()
    await db
      .insertInto('env_vars')
      .values({
        ...{ id: String(records.env_var.id), repository_id, name: 'A', branch: null },
        sealed_value: sealer.sealText(records.env_var, 'a variable'),
      })
      .execute()
    await db
      .insertInto('ssh_keys')
      .values({
        ...{ repository_id, fingerprint: null, public_key: null },
        sealed_value: sealer.sealText(sealedIn.sshKey(repository_id), 'a key'),
      })
      .execute()
    await db
      .insertInto('key_pairs')
      .values({
        ...{ repository_id, public_key: 'public', fingerprint: '00' },
        sealed_private_key: sealer.sealText(sealedIn.keyPair(repository_id), 'a pair'),
      })
      .execute()
    await make.delivery({
      ...{ guid: 'guid-sealed', sealed: true },
      body: sealer.seal(records.delivery, '{"a":1}'),
    })
    await make.delivery({ guid: 'guid-plain', body: Buffer.from('{"b":2}') })
  })

  /** All sealed values, opened with these keys. */
  async function opened(sealer: Sealer): Promise<string[]> {
    const [variable] = await db.selectFrom('env_vars').selectAll().execute()
    const [key] = await db.selectFrom('ssh_keys').selectAll().execute()
    const { body } = await db
      .selectFrom('deliveries')
      .select('body')
      .where('guid', '=', 'guid-sealed')
      .executeTakeFirstOrThrow()
    return [
      sealer.openText(records.env_var, variable?.sealed_value ?? ''),
      sealer.openText(sealedIn.sshKey(repository.id), key?.sealed_value ?? ''),
      await privateKeyWith(sealer),
      sealer.open(records.delivery, body ?? Buffer.alloc(0)).toString(),
    ]
  }

  const all = ['a variable', 'a key', 'a pair', '{"a":1}']

  test('seals everything with the first key, so that the other keys can be removed', async () => {
    const both = { MASTER_KEY: `${fresh},${old}` }
    const { code, stdout } = await build(['rotate-keys'], both)
    expect(stdout).toBe(
      '4 secrets were sealed with the first key\n' +
        'processes that were started before MASTER_KEY was changed still need the other keys: ' +
        'restart them, and run this command again until it reports 0\n',
    )
    expect(code).toBe(0)
    expect(await opened(createSealer(newer))).toEqual(all)
    expect((await build(['rotate-keys'], both)).stdout).toBe(
      '0 secrets were sealed with the first key\n' +
        'if every process of the service was started with this MASTER_KEY, the other keys are no longer ' +
        'needed: remove them everywhere\n',
    )
    const plain = db.selectFrom('deliveries').select('body').where('guid', '=', 'guid-plain')
    expect(await plain.execute()).toEqual([{ body: Buffer.from('{"b":2}') }])

    const alone = await build(['rotate-keys'], { MASTER_KEY: fresh })
    expect([alone.code, alone.stdout]).toEqual([0, '0 secrets were sealed with the first key\n'])
    const refused = await build(['rotate-keys'], { MASTER_KEY: old })
    expect([refused.code, refused.stderr.includes('MASTER_KEY is a different key')]).toEqual([
      78,
      true,
    ])
  }, 120_000)

  test('runs while the service reads and writes with both keys', async () => {
    // First all processes get the new key as the second one, then as the first one.
    const [before, after] = [createSealer(older, newer), createSealer(newer, older)]
    expect(await opened(before)).toEqual(all)
    const written = after.sealText(records.env_var, 'written meanwhile')
    await db.updateTable('env_vars').set({ sealed_value: written }).execute()
    await build(['rotate-keys'], { MASTER_KEY: `${fresh} ${old}` })
    for (const sealer of [before, after, createSealer(newer)]) {
      expect(await opened(sealer)).toEqual(['written meanwhile', ...all.slice(1)])
    }
  }, 60_000)

  test('names and skips values that no key opens, and leaves the database bound to the old key', async () => {
    const lost = createSealer(randomBytes(32)).sealText(records.env_var, 'lost')
    await db.updateTable('env_vars').set({ sealed_value: lost }).execute()
    const { code, stderr } = await build(['rotate-keys'], { MASTER_KEY: `${fresh},${old}` })
    expect(code).toBe(2)
    expect(stderr).toContain(`and stay as they are: env_vars ${records.env_var.id}`)
    const rows = await db.selectFrom('env_vars').select('sealed_value').execute()
    expect(rows).toEqual([{ sealed_value: lost }])
    const bound = await db.selectFrom('key_fingerprint').select('fingerprint').execute()
    expect(bound).toEqual([{ fingerprint: createSealer(older).fingerprints[0] }])
  }, 60_000)
})
