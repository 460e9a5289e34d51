import { beforeEach, describe, expect, test } from 'vitest'
import { readBuildFileWithImports } from '../../../src/buildfile/read-build-file.ts'
import { CodehostError } from '../../../src/codehost/codehost.ts'
import { type Repository, slugOf } from '../../../src/domain/repository.ts'
import { importLoader } from '../../../src/flow/build-file/load-imports.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { tip } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let ctx: TestContext

beforeEach(() => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  codehost.commits.set('main', commit('c'))
  codehost.commits.set('v1', commit('1'))
})

const commit = (letter: string) => commitOf(letter.repeat(40), '')

const sha = (letter: string) => letter.repeat(40)

interface Sender {
  from_fork?: boolean
  sender_id?: number | null
}

async function load(text: string, repository: Repository, sender: Sender = {}) {
  const { from_fork = false, sender_id = null } = sender
  const { imported, importErrors } = await readBuildFileWithImports(text, {
    path: '.service.yml',
    repository: slugOf(repository),
    data: { branch: 'main' },
    load: importLoader(ctx, {
      repository: { ...repository, installation_codehost_id: null },
      sha: tip,
      from_fork,
      sender_id,
    }),
  })
  return {
    read: imported.map(({ raw }) => raw),
    messages: importErrors.map(({ level, code, args }) => ({ level, code, args })),
  }
}

const nothing = { read: [], messages: [] }
const error = (code: string, args: object) => ({
  read: [],
  messages: [{ level: 'error', code, args }],
})

describe('the repository and commit of an import (CF-41)', () => {
  test.each([
    ['a.yml', 'octavia/hello', tip],
    ['octavia/hello:a.yml', 'octavia/hello', tip],
    ['OCTAVIA/Hello:a.yml', 'octavia/hello', tip],
    ['a.yml@v1', 'octavia/hello', sha('1')],
    ['team/ci:a.yml', 'team/ci', sha('c')],
    ['Team/CI:a.yml@v1', 'team/ci', sha('1')],
  ])('%s: in %s at %s', async (source, slug, at) => {
    const repository = await make.repository()
    await make.repository({ owner_name: 'team', name: 'ci', default_branch_name: 'main' })
    codehost.files.set(`${slug}:a.yml@${at}`, 'language: go')
    expect(await load(`import: ${source}`, repository)).toEqual({
      read: [
        {
          source: `${slug}:a.yml@${at}`,
          sha: at,
          text: 'language: go',
          merge_mode: 'deep_merge_append',
        },
      ],
      messages: [],
    })
  })

  test('all imports of a branch see the same commit', async () => {
    const repository = await make.repository()
    await make.repository({ owner_name: 'team', name: 'ci' })
    codehost.files.set(`team/ci:a.yml@${sha('c')}`, 'import: b.yml')
    codehost.files.set(`team/ci:b.yml@${sha('c')}`, '')
    await load('import: [team/ci:a.yml@main, team/ci:c.yml]', repository)
    expect(codehost.calls).toEqual(['commit', 'file', 'file', 'file'])
  })

  test('bytes that are not text are dropped (CF-03)', async () => {
    const repository = await make.repository()
    codehost.file = async () => Buffer.from([0x61, 0x3a, 0xff, 0x20, 0x31])
    const { read } = await load('import: a.yml', repository)
    expect(read.map(({ text }) => text)).toEqual(['a: 1'])
  })
})

describe('a missing file is reported with its source:', () => {
  test.each(['a.yml', 'a.yml@gone', 'gone/ci:a.yml', 'team/ci:a.yml', 'team/ci:a.yml@gone'])(
    '%s',
    async (source) => {
      const repository = await make.repository()
      await make.repository({ owner_name: 'team', name: 'ci' })
      const [repo, path] = source.split(':')
      expect(await load(`import: ${source}`, repository)).toEqual(
        error('unknown_import', { source, ...(path === undefined ? {} : { repo }) }),
      )
    },
  )

  test('a repository of another code host', async () => {
    const repository = await make.repository()
    await make.repository({ owner_name: 'team', name: 'ci', provider: 'local' })
    const source = 'team/ci:a.yml'
    expect(await load(`import: ${source}`, repository)).toEqual(
      error('unknown_import', { source, repo: 'team/ci' }),
    )
  })
})

describe('permission to import (CF-44)', () => {
  type Side = Partial<Pick<Repository, 'owner_name' | 'private'>>
  const mine = (given: Side = {}) => make.repository({ name: 'hello', ...given })

  async function source(given: Side & { allow?: boolean }) {
    const { allow = false, ...columns } = given
    const made = await make.repository({ name: 'ci', ...columns })
    await changeSettings(db, made.id, { allow_config_imports: allow })
    codehost.files.set(`${slugOf(made)}:a.yml@${sha('c')}`, '')
    return made
  }

  const secret = { owner_name: 'octavia', private: true }
  const other = { owner_name: 'team', private: true }

  test.each([
    [{}, { owner_name: 'team' }, null],
    [{ private: true }, { owner_name: 'team' }, null],
    [{ private: true }, { ...secret, allow: true }, null],
    [{ private: true }, secret, error('import_not_allowed', { repo: 'octavia/ci' })],
    [{ private: true }, { ...other, allow: true }, error('invalid_ownership', { owner: 'team' })],
    [{}, { ...secret, allow: true }, error('invalid_visibility', { repo: 'octavia/ci' })],
    [{}, { ...other, allow: true }, error('invalid_visibility', { repo: 'team/ci' })],
  ])('by %j from %j', async (building, given, refused) => {
    const repository = await mine(building)
    const from = await source(given)
    const slug = slugOf(from)
    const sender = await make.user('reader')
    await make.permission(sender, from, 'pull')
    const sent = { sender_id: sender.id }
    const { read, messages } = await load(`import: ${slug}:a.yml`, repository, sent)
    expect({ read: refused ? read : [], messages }).toEqual(refused ?? nothing)
    expect(codehost.calls).toEqual(refused ? [] : ['commit', 'file'])
  })

  test('a private repository can import its own files, even for a fork', async () => {
    const repository = await mine({ private: true })
    codehost.files.set(`octavia/hello:a.yml@${tip}`, '')
    expect((await load('import: a.yml', repository, { from_fork: true })).messages).toEqual([])
  })

  test('a fork does not learn that a private repository exists (CF-48)', async () => {
    const repository = await mine({ private: true })
    await source({ ...secret, allow: true })
    await source({ ...other, allow: true })
    const wanted = ['octavia/ci:a.yml', 'team/ci:a.yml', 'gone/ci:a.yml']
    expect(await load(`import: [${wanted.join()}]`, repository, { from_fork: true })).toEqual({
      read: [],
      messages: wanted.map(
        (source) => error('unknown_import', { source, repo: source.split(':')[0] }).messages[0],
      ),
    })
    expect(codehost.calls).toEqual([])
  })

  test.each([
    [{ private: true }, { ...secret, allow: false }],
    [{ private: true }, other],
    [{}, secret],
    [{}, other],
  ])('%j: a user who cannot see %j does not learn that it exists', async (building, given) => {
    const repository = await mine(building)
    const slug = slugOf(await source(given))
    const { id } = await make.user('stranger')
    for (const sender_id of [id, null]) {
      expect(await load(`import: ${slug}:a.yml`, repository, { sender_id })).toEqual(
        error('unknown_import', { source: `${slug}:a.yml`, repo: slug }),
      )
    }
    expect(codehost.calls).toEqual([])
  })

  test('a fork can import from public repositories', async () => {
    await source({ owner_name: 'team' })
    expect(
      (await load('import: team/ci:a.yml', await mine(), { from_fork: true })).messages,
    ).toEqual([])
  })

  test('imports of an imported file are checked against the repository being built', async () => {
    const hidden = await source({ ...other, allow: true })
    const sender = await make.user('reader')
    await make.permission(sender, hidden, 'pull')
    await make.repository({ owner_name: 'free', name: 'ci' })
    codehost.files.set(`free/ci:b.yml@${sha('c')}`, 'import: team/ci:a.yml')
    const building = await mine({ private: true })
    const { messages } = await load('import: free/ci:b.yml', building, { sender_id: sender.id })
    expect(messages).toEqual(error('invalid_ownership', { owner: 'team' }).messages)
  })
})

describe('when the code host does not respond', () => {
  const failure = (kind: 'away' | 'refused') => new CodehostError('no', { kind })

  test('throws a temporary error, so that it is retried', async () => {
    codehost.failure = failure('away')
    await expect(load('import: a.yml', await make.repository())).rejects.toThrow(failure('away'))
  })

  test('a permanent error is reported as a missing file', async () => {
    codehost.failure = failure('refused')
    const found = await load('import: a.yml', await make.repository())
    expect(found).toEqual(error('unknown_import', { source: 'a.yml' }))
  })
})
