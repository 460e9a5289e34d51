import { beforeEach, describe, expect, test } from 'vitest'
import type { OwnerRef } from '../../src/domain/owner.ts'
import { createServer } from '../../src/http/server.ts'
import { encryptSecure } from '../../src/secrets/secure-value.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { addOwnerVariable } from '../support/owner-variable.ts'
import { foundIn, secretsScene } from './secrets-scene.ts'

const db = await testDatabase()
const make = factories(db)
let codehost: MemoryCodehost
let ctx: TestContext
let server: Awaited<ReturnType<typeof createServer>>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  server = await createServer(ctx)
})

const sceneOf = (given = {}) => secretsScene({ db, make, ctx, codehost }, server, given)

const all = ['file', 'settings', 'public', 'key']

describe.each([{ private: false }, { private: true }])(
  'the secrets of a job in a repository with %j',
  (given) => {
    test.each<['push' | 'pull' | 'fork', object, string[]]>([
      ['push', {}, all],
      ['pull', {}, all],
      ['fork', {}, ['public']],
      ['fork', { share_encrypted_env_with_forks: true }, ['file', 'settings', 'public']],
      ['fork', { share_ssh_keys_with_forks: true }, given.private ? ['public', 'key'] : ['public']],
      [
        'fork',
        { share_encrypted_env_with_forks: true, share_ssh_keys_with_forks: true },
        given.private ? all : ['file', 'settings', 'public'],
      ],
    ])('from a %s, with the settings %j, are %j', async (kind, settings, expected) => {
      const scene = await sceneOf(given)
      await scene.addVariable({ name: 'A', value: 'of-the-settings' })
      await scene.addVariable({ name: 'B', value: 'for-everyone', public: true })
      await scene.setKey()
      await scene.set(settings)
      const secure = await scene.encrypted('C=of-the-file')
      const { id } = await scene.build(`env:\n  - secure: "${secure}"\nscript: make`, kind)
      const programs = await scene.programsOf(id)
      expect(foundIn(programs)).toEqual(expected)
      const isNoted = programs.job.includes('so it gets no secret variables')
      expect(isNoted).toBe(!expected.includes('settings'))
      const keyIsNoted = programs.clone.includes('does not get the SSH key')
      expect(keyIsNoted).toBe(!expected.includes('key'))
      const flag = /SERVICE_SECURE_ENV_VARS='(\w+)'/.exec(programs.job)?.[1]
      expect(flag).toBe(String(expected.includes('settings')))
    })
  },
)

test('of variables with one name, the last one wins, and one for the branch wins over one for all', async () => {
  const scene = await sceneOf()
  const add = (value: string, branch?: string) =>
    scene.addVariable({ name: 'A', value, public: true, ...(branch ? { branch } : {}) })
  await add('only-main', 'main')
  await add('first')
  await add('last')
  await add('only-next', 'next')
  const valueOn = async (kind: 'push' | 'pull' | 'fork', branch: string) => {
    const { id } = await scene.build('script: make', kind, branch)
    const { job } = await scene.programsOf(id)
    return [...job.matchAll(/'export A=([\w-]+)'/g)].map(([, value]) => value)
  }
  expect(await valueOn('push', 'main')).toEqual(['only-main'])
  expect(await valueOn('push', 'other')).toEqual(['last'])
  // A tag of the same name does not count as the branch.
  expect(await valueOn('push', 'refs/tags/main')).toEqual(['last'])
  // For a pull request, its base branch counts.
  expect(await valueOn('pull', 'main')).toEqual(['only-main'])
  expect(await valueOn('fork', 'main')).toEqual(['only-main'])
})

describe('a variable of the owner for all repositories', () => {
  const addToOwner = (owner: OwnerRef, name: string, value: string, isPublic = false) =>
    addOwnerVariable(db, owner, { name, value, public: isPublic })

  const exportsIn = (job: string) =>
    [...job.matchAll(/'export ([AB])=([\w-]+)'/g)].map(([, name, value]) => `${name}=${value}`)

  test('is in the jobs of each repository that has no variable of that name', async () => {
    const scene = await sceneOf()
    await addToOwner(scene.repository, 'A', 'of-the-owner')
    await addToOwner(scene.repository, 'B', 'of-the-owner')
    await scene.addVariable({ name: 'B', value: 'of-the-repository' })
    for (const kind of ['push', 'pull'] as const) {
      const { id } = await scene.build('script: make', kind)
      const { job } = await scene.programsOf(id)
      expect(exportsIn(job)).toEqual(['A=of-the-owner', 'B=of-the-repository'])
      expect(job).not.toContain('none of the variables')
    }
    const other = await sceneOf({ name: 'other' })
    const { id } = await other.build('script: make', 'push')
    expect(exportsIn((await other.programsOf(id)).job)).toEqual([
      'A=of-the-owner',
      'B=of-the-owner',
    ])
  })

  test('is not in jobs of an owner of another kind with the same id', async () => {
    const scene = await sceneOf()
    const { owner_id, owner_type } = scene.repository
    await addToOwner(
      { owner_id, owner_type: owner_type === 'User' ? 'Organization' : 'User' },
      'A',
      'of-another',
    )
    const { id } = await scene.build('script: make', 'push')
    expect(exportsIn((await scene.programsOf(id)).job)).toEqual([])
  })

  test.each([{}, { share_encrypted_env_with_forks: true }])(
    'is in no pull request from a fork, public or not, with the settings %j',
    async (settings) => {
      const scene = await sceneOf()
      await addToOwner(scene.repository, 'A', 'of-the-owner')
      await addToOwner(scene.repository, 'B', 'of-the-owner', true)
      await scene.set(settings)
      const { id } = await scene.build('script: make', 'fork')
      const { job } = await scene.programsOf(id)
      expect(job).not.toContain('of-the-owner')
      expect(job).toContain('so it gets none of the variables that octavia has')
    },
  )

  test('can be read by conditions if it is public, except in a fork', async () => {
    const scene = await sceneOf()
    await addToOwner(scene.repository, 'A', 'yes', true)
    await addToOwner(scene.repository, 'B', 'yes')
    const file =
      'jobs:\n  include:\n' +
      ['A', 'B']
        .map((name) => `    - { name: ${name}, if: env(${name}) = yes, script: a }\n`)
        .join('') +
      '    - { name: C, script: a }\n'
    const namesOf = async (kind: 'push' | 'fork') => {
      const { build_id } = await scene.build(file, kind)
      const jobs = await db
        .selectFrom('jobs')
        .select('name')
        .where('build_id', '=', build_id)
        .orderBy('id')
        .execute()
      return jobs.map(({ name }) => name)
    }
    expect(await namesOf('push')).toEqual(['A', 'C'])
    expect(await namesOf('fork')).toEqual(['C'])
  })
})

describe('the token that fetches the commit of a job', () => {
  test.each([
    ['push', {}, undefined, true],
    ['pull', {}, undefined, true],
    ['fork', {}, undefined, false],
    ['fork', { private: true }, undefined, true],
    // On such a host, public repositories can be read only after a login.
    ['fork', {}, 'ghe.example', true],
  ] as const)(
    'of a %s in a repository of %j, at %s: %s',
    async (kind, given, gheHost, expected) => {
      const asked: boolean[] = []
      const { cloneSource } = codehost
      codehost.cloneSource = (repository, options) => {
        asked.push(options.withToken)
        return cloneSource(repository, options)
      }
      Object.assign(ctx, { config: { ...ctx.config, gheHost } })
      const scene = await sceneOf(given)
      await scene.programsOf((await scene.build('script: make', kind)).id)
      expect(asked).toEqual([expected])
    },
  )
})

test('a restarted job gets the current settings', async () => {
  const scene = await sceneOf()
  const { id } = await scene.build('script: make', 'push')
  expect(foundIn(await scene.programsOf(id))).toEqual([])
  await scene.addVariable({ name: 'A', value: 'of-the-settings' })
  await scene.setKey()
  expect(foundIn(await scene.programsOf(id))).toEqual(['settings', 'key'])
})

test('variables keep the order of the file, because they can refer to earlier ones', async () => {
  const scene = await sceneOf()
  const env =
    'LIBRARIES: /opt\n    A: $LIBRARIES/a\n  jobs:\n    - ROOT_DIRECTORY=/srv V=$ROOT_DIRECTORY/x'
  const { id } = await scene.build(`script: make\nenv:\n  global:\n    ${env}`, 'push')
  const { job } = await scene.programsOf(id)
  const exported = [...job.matchAll(/'export (\w+)=/g)].map(([, name]) => name)
  const own = ['LIBRARIES', 'A', 'ROOT_DIRECTORY', 'V']
  expect(exported.filter((name) => own.includes(name ?? ''))).toEqual(own)
})

describe('a variable whose name and value are encrypted together', () => {
  const shownEnv = async (scene: Awaited<ReturnType<typeof sceneOf>>, id: number) => {
    const { job } = await scene.call<{ job: { config: { env: string } } }>(`GET /jobs/${id}`)
    return job.config.env
  }

  test('is shown with its name only, and has its value in the job', async () => {
    const scene = await sceneOf()
    const secure = await scene.encrypted('TOKEN=of-the-file')
    const file = `env:\n  global:\n    - secure: "${secure}"\n  jobs:\n    - A=1\nscript: make`
    const { id, build_id } = await scene.build(file, 'push')
    expect(await shownEnv(scene, id)).toBe('TOKEN=[secure] A=1')
    const { build } = await scene.call<{ build: { config: object } }>(`GET /builds/${build_id}`)
    expect(build.config).toMatchObject({ env: ['A=1'], global_env: 'TOKEN=[secure]' })
    expect((await scene.programsOf(id)).job).toContain("'export TOKEN=of-the-file'")
  })

  test('is shown with its name under the older key as well, and as the only entry', async () => {
    const scene = await sceneOf()
    const secure = await scene.encrypted('TOKEN=of-the-file')
    const file = (key: string) => `${key}:\n  - secure: "${secure}"\nscript: make`
    for (const [key, shown] of [
      ['global_env', { global_env: 'TOKEN=[secure]' }],
      ['env', { env: ['TOKEN=[secure]'] }],
    ] as const) {
      const { id, build_id } = await scene.build(file(key), 'push')
      expect(await shownEnv(scene, id)).toBe('TOKEN=[secure]')
      const { build } = await scene.call<{ build: { config: object } }>(`GET /builds/${build_id}`)
      expect(build.config).toMatchObject(shown)
    }
  })

  test('is decrypted if it is among the first hundred, and the log counts the others', async () => {
    const scene = await sceneOf()
    const { key } = await scene.call<{ key: string }>(`GET /repos/${scene.repository.id}/key`)
    const lines = Array.from({ length: 103 }, (_, index) => {
      const encrypted = encryptSecure(key, `TOKEN_${index + 1}=of-the-file-${index + 1}`)
      return `  - secure: "${encrypted}"\n`
    })
    const file = `env:\n global:\n${lines.join('')}script: make`
    const { id } = await scene.build(file, 'push')
    const { job } = await scene.programsOf(id)
    expect(job.match(/'export TOKEN_\d+=of-the-file-\d+'/g)).toHaveLength(100)
    expect(job).toContain("'export TOKEN_100=of-the-file-100'")
    expect(job).toContain(
      'Only the first 100 different encrypted values of this job are decrypted. 3 more are left out',
    )
    expect(job).not.toContain('no key that this job has')
  })

  test('is not decrypted for a fork, not even to show its name', async () => {
    const scene = await sceneOf()
    const secure = await scene.encrypted('TOKEN=of-the-file')
    const { config } = await scene.build(`env:\n  - secure: "${secure}"\nscript: make`, 'fork')
    expect(config.env).toEqual([{ secure }])
  })

  test('has no name if it was encrypted with another key', async () => {
    const [scene, other] = [await sceneOf(), await sceneOf({ name: 'other' })]
    const secure = await other.encrypted('TOKEN=of-another')
    const { id } = await scene.build(`env:\n  - secure: "${secure}"\nscript: make`, 'push')
    expect(await shownEnv(scene, id)).toBe('[secure]')
    const { job } = await scene.programsOf(id)
    expect(job).toContain('The encrypted variable at env.jobs[0] is left out')
    expect(job).not.toContain('of-another')
  })
})

describe('an encrypted value in an imported file', () => {
  const plainly = (secure: string) => `env:\n  global:\n    - secure: "${secure}"\n`

  async function importing(
    owner_name: string,
    kind: 'push' | 'fork',
    { copied = false, written = plainly } = {},
  ) {
    const source = await sceneOf({ owner_name, name: 'shared' })
    const scene = await sceneOf({ name: 'hello' })
    await scene.set({ share_encrypted_env_with_forks: true })
    const secure = await source.encrypted('TOKEN=of-the-file')
    const sha = 'a'.repeat(40)
    codehost.commits.set('main', commitOf(sha, 'Share'))
    const shared = copied ? `env: {A: 1} # secure: "${secure}"` : written(secure)
    codehost.files.set(`${owner_name}/shared:env.yml@${sha}`, shared)
    const own = copied ? plainly(secure) : ''
    const file = `import: ${owner_name}/shared:env.yml\n${own}script: make`
    const { id } = await scene.build(file, kind)
    return foundIn(await scene.programsOf(id))
  }

  test('is decrypted with the key of its own repository, if the owner is the same', async () => {
    expect(await importing('octavia', 'push')).toEqual(['file'])
  })

  test.each<[string, (secure: string) => string]>([
    [
      'in double quotes with a backslash at the end of a line',
      (secure) => plainly(`${secure.slice(0, 60)}\\\n        ${secure.slice(60)}`),
    ],
    [
      'in lines',
      (secure) =>
        `env:\n  global:\n    - secure: >\n        ${secure.slice(0, 60)}\n        ${secure.slice(60)}\n`,
    ],
    [
      'with an escape',
      (secure) => plainly(`\\x${secure.charCodeAt(0).toString(16)}${secure.slice(1)}`),
    ],
    ['as an alias', (secure) => `x: &x [{secure: "${secure}"}]\nenv:\n  global: *x\n`],
  ])('is decrypted if it is written %s', async (_, written) => {
    expect(await importing('octavia', 'push', { written })).toEqual(['file'])
  })

  test('stays encrypted if the owner is different', async () => {
    expect(await importing('stranger', 'push')).toEqual([])
  })

  test('is not decrypted for a fork, whatever the settings share', async () => {
    expect(await importing('octavia', 'fork')).toEqual([])
  })

  test('is not decrypted in a file copied from that repository', async () => {
    expect(await importing('octavia', 'push', { copied: true })).toEqual([])
  })
})

describe('conditions see the variables in the settings', () => {
  const file = 'if: env(DEPLOY) = yes\nscript: make'

  test('if they are public', async () => {
    const scene = await sceneOf()
    await expect(scene.build(file, 'push')).rejects.toThrow('no result')
    await scene.addVariable({ name: 'DEPLOY', value: 'no', public: true })
    await scene.addVariable({ name: 'DEPLOY', value: 'yes', public: true, branch: 'main' })
    expect(await scene.build(file, 'push')).toMatchObject({ build_id: 1 })
  })

  test('unless they are secret', async () => {
    const scene = await sceneOf()
    await scene.addVariable({ name: 'DEPLOY', value: 'yes' })
    await expect(scene.build(file, 'push')).rejects.toThrow('no result')
  })

  test('unless the file overrides them', async () => {
    const scene = await sceneOf()
    await scene.addVariable({ name: 'DEPLOY', value: 'no', public: true })
    const job = await scene.build(`env:\n  global: DEPLOY=yes\n${file}`, 'push')
    expect(job).toMatchObject({ build_id: 1 })
  })
})

test('values that cannot be decrypted are reported with their path in the file', async () => {
  const scene = await sceneOf()
  const file = [
    'language: generic',
    'env:',
    '  global: [A=1, secure: "foreign"]',
    '  jobs: [B=1, B=2]',
    'addons: {apt: {packages: [jq, secure: "other"]}}',
    'script: make',
  ]
  const { id } = await scene.build(file.join('\n'), 'push')
  const { job } = await scene.programsOf(id)
  expect(job).toContain('The encrypted variable at env.global[1] is left out')
  expect(job).toContain('The encrypted value at addons.apt.packages[1] is left out')
})
