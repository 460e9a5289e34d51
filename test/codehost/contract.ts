import { describe, expect, test } from 'vitest'
import type { CheckRun, Codehost, RepositoryRef } from '../../src/codehost/codehost.ts'
import type { CommitStatus } from '../../src/domain/commit/status.ts'

/** The content of a path in a commit. */
export type Content = string | Buffer | { link: string } | { submodule: string }

export interface Person {
  name: string
  email: string
}

/** A commit to create; omitted members are made up. */
export interface NewCommit {
  /** The branch that it becomes the tip of; `main` by default. */
  branch?: string
  /** A parent, if that is not the tip of the branch. */
  parent?: string
  /** Files to write; null deletes a file. */
  files?: Record<string, Content | null>
  message?: string
  author?: Person
  committer?: Person
  committed_at?: Date
}

/** A code host to test, and the features that it does not support. */
export interface CodehostHarness {
  codehost: Codehost
  /** The login of an existing user. */
  login: string
  /** An empty repository whose default branch will be `main`. */
  makeRepository(): Promise<RepositoryRef>
  /** A reference to a repository that does not exist. */
  missingRepository(): RepositoryRef
  commit(repository: RepositoryRef, commit?: NewCommit): Promise<string>
  /** Its merge commit, if possible, exists when this call ends. */
  openPull(
    repository: RepositoryRef,
    pull: { base: string; head: string; title: string },
  ): Promise<number>
  closePull(repository: RepositoryRef, number: number): Promise<void>
}

const missingSha = 'f'.repeat(40)
const ada = { name: 'Ada Lovelace', email: 'ada@example.org' }
const grace = { name: 'Grace "Amazing" Hopper', email: 'grace@example.org' }

const status: CommitStatus = {
  state: 'pending',
  context: 'continuous-integration/service/push',
  description: 'Build queued',
  target_url: 'https://ci.example.org/builds/1',
}

/**
 * The contract of every implementation of the code host. The harness is created before the first
 * test.
 */
export function testCodehost(harness: CodehostHarness): void {
  const { codehost } = harness

  describe('file', () => {
    test.each([
      ['.service.yml', 'language: ruby\n'],
      ['a/deep/folder/file.yml', 'script: make\n'],
      ['empty', ''],
      ['windows.yml', '\uFEFFscript: make\r\n'],
      ['it\'s "quoted" & spaced.yml', 'a: b'],
      ['größe/日本.yml', 'a: ü'],
      [':(top)magic', 'not magic'],
      ['*', 'a star'],
      ['--help', 'no help'],
    ])('is read at %s', async (path, content) => {
      const repository = await harness.makeRepository()
      const sha = await harness.commit(repository, { files: { [path]: content, other: 'x' } })
      expect(await codehost.file(repository, path, sha)).toEqual(Buffer.from(content))
    })

    test('is read byte by byte, even if it is not text', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      const repository = await harness.makeRepository()
      const sha = await harness.commit(repository, { files: { bytes } })
      expect(await codehost.file(repository, 'bytes', sha)).toEqual(bytes)
    })

    test('is read at the requested commit', async () => {
      const repository = await harness.makeRepository()
      const first = await harness.commit(repository, { files: { file: 'one' } })
      const second = await harness.commit(repository, { files: { file: 'two' } })
      expect(await codehost.file(repository, 'file', first)).toEqual(Buffer.from('one'))
      expect(await codehost.file(repository, 'file', second)).toEqual(Buffer.from('two'))
    })

    test.each([
      ['there is nothing', 'absent.yml'],
      ['there is a folder', 'folder'],
      ['there is a submodule', 'module'],
      ['a file is used as a folder', 'file/file'],
    ])('is undefined if %s', async (_, path) => {
      const repository = await harness.makeRepository()
      const sha = await harness.commit(repository, {
        files: { file: 'x', 'folder/file': 'x', module: { submodule: missingSha } },
      })
      expect(await codehost.file(repository, path, sha)).toBeUndefined()
    })

    test('is undefined at an unknown commit', async () => {
      const repository = await harness.makeRepository()
      await harness.commit(repository, { files: { file: 'x' } })
      expect(await codehost.file(repository, 'file', missingSha)).toBeUndefined()
    })
  })

  describe('tree', () => {
    test('lists a folder, but not the contents of its subfolders', async () => {
      const repository = await harness.makeRepository()
      const sha = await harness.commit(repository, {
        files: { 'a/file': 'x', 'a/b/file': 'x', 'a/module': { submodule: missingSha }, ab: 'x' },
      })
      expect(await codehost.tree(repository, 'a', sha)).toEqual([
        { name: 'b', type: 'folder' },
        { name: 'file', type: 'file' },
        { name: 'module', type: 'other' },
      ])
    })

    test('lists the root', async () => {
      const repository = await harness.makeRepository()
      const sha = await harness.commit(repository, { files: { 'a/file': 'x', file: 'x' } })
      expect(await codehost.tree(repository, '', sha)).toEqual([
        { name: 'a', type: 'folder' },
        { name: 'file', type: 'file' },
      ])
    })

    test.each([
      ['a file', 'file'],
      ['a submodule', 'module'],
      ['nothing', 'absent'],
    ])('is undefined at the path of %s', async (_, path) => {
      const repository = await harness.makeRepository()
      const files = { file: 'x', module: { submodule: missingSha } }
      const sha = await harness.commit(repository, { files })
      expect(await codehost.tree(repository, path, sha)).toBeUndefined()
    })

    test('is undefined at an unknown commit', async () => {
      const repository = await harness.makeRepository()
      expect(await codehost.tree(repository, '', missingSha)).toBeUndefined()
    })
  })

  describe('commit', () => {
    test('reports author, committer, message and times', async () => {
      const repository = await harness.makeRepository()
      const committed_at = new Date('2026-01-02T03:04:05Z')
      const message =
        'Add a thing\n\nBecause "it" was missing: 100% of <it>, \\n and all.\n\n— Ünïcode 🎈'
      const sha = await harness.commit(repository, {
        message,
        committed_at,
        author: ada,
        committer: grace,
      })
      expect(await codehost.commit(repository, sha)).toEqual({
        sha,
        parents: [],
        message,
        committed_at,
        author_name: ada.name,
        author_email: ada.email,
        committer_name: grace.name,
        committer_email: grace.email,
      })
    })

    test.each(['main', 'feature/with-a-slash', 'main"; rm -rf $HOME #'.replaceAll(' ', '+')])(
      'is found as the tip of branch %s',
      async (branch) => {
        const repository = await harness.makeRepository()
        await harness.commit(repository, { branch })
        const sha = await harness.commit(repository, { branch })
        expect(await codehost.commit(repository, branch)).toMatchObject({ sha })
      },
    )

    test.each([missingSha, 'no-such-branch', '--all', 'main..main', ''])(
      'is undefined for %j',
      async (name) => {
        const repository = await harness.makeRepository()
        await harness.commit(repository)
        expect(await codehost.commit(repository, name)).toBeUndefined()
      },
    )
  })

  test('a commit is an ancestor of later commits, and of itself', async () => {
    const repository = await harness.makeRepository()
    const first = await harness.commit(repository)
    const second = await harness.commit(repository)
    const side = await harness.commit(repository, {
      branch: 'side',
      parent: first,
      message: 'aside',
    })
    const isBehind = (sha: string, other: string) => codehost.isBehind(repository, sha, other)
    expect([await isBehind(first, second), await isBehind(second, second)]).toEqual([true, true])
    expect([await isBehind(second, first), await isBehind(side, second)]).toEqual([false, false])
    expect(await isBehind('main', second)).toBe(false)
  })

  async function twoSides(files: { main: string; feature: string }) {
    const repository = await harness.makeRepository()
    const root = await harness.commit(repository, { files: { root: 'root' } })
    const base = await harness.commit(repository, { files: { [files.main]: 'of main' } })
    const head = await harness.commit(repository, {
      branch: 'feature',
      parent: root,
      files: { [files.feature]: 'of feature' },
    })
    const pull = { base: 'main', head: 'feature', title: 'Add "it"' }
    const number = await harness.openPull(repository, pull)
    return { repository, base, head, number }
  }

  describe('pull', () => {
    test('has a merge commit with the changes of both sides', async () => {
      const { repository, base, head, number } = await twoSides({ main: 'a', feature: 'b' })
      const pull = await codehost.pull(repository, number)
      expect(pull).toMatchObject({
        state: 'open',
        title: 'Add "it"',
        draft: false,
        mergeable: true,
        mergeable_state: 'clean',
        head: {
          sha: head,
          ref: 'feature',
          repository_codehost_id: repository.codehost_id,
          slug: repository.slug,
        },
        base: { sha: base, ref: 'main' },
      })
      const merge = pull?.merge_commit_sha ?? 'none'
      expect(await codehost.commit(repository, merge)).toMatchObject({ parents: [base, head] })
      expect((await codehost.tree(repository, '', merge))?.map(({ name }) => name)).toEqual([
        ...['a', 'b', 'root'],
      ])
    })

    test('has a new merge commit once its head has moved', async () => {
      const { repository, number } = await twoSides({ main: 'a', feature: 'b' })
      const before = await codehost.pull(repository, number)
      const sha = await harness.commit(repository, { branch: 'feature', files: { c: 'c' } })
      const after = await codehost.pull(repository, number)
      expect(after).toMatchObject({ head: { sha }, mergeable_state: 'clean' })
      expect(after?.merge_commit_sha).not.toBe(before?.merge_commit_sha)
    })

    test('has no merge commit if its sides conflict', async () => {
      const { repository, number } = await twoSides({ main: 'a', feature: 'a' })
      expect(await codehost.pull(repository, number)).toMatchObject({
        state: 'open',
        mergeable: false,
        mergeable_state: 'dirty',
        merge_commit_sha: null,
      })
    })

    test('is reported as closed', async () => {
      const { repository, head, number } = await twoSides({ main: 'a', feature: 'b' })
      await harness.closePull(repository, number)
      expect(await codehost.pull(repository, number)).toMatchObject({
        state: 'closed',
        head: { sha: head },
      })
    })

    test('is undefined if the number is unknown', async () => {
      const repository = await harness.makeRepository()
      expect(await codehost.pull(repository, 7)).toBeUndefined()
    })
  })

  describe('statuses', () => {
    test('are listed per commit, newest first', async () => {
      const repository = await harness.makeRepository()
      const [one, other] = [await harness.commit(repository), await harness.commit(repository)]
      const passed: CommitStatus = { ...status, state: 'success', description: 'It "passed"' }
      await codehost.postStatus(repository, one, status)
      await codehost.postStatus(repository, one, passed)
      await codehost.postStatus(repository, other, status)
      expect(await codehost.statuses(repository, one)).toEqual([passed, status])
    })

    test('are empty for a commit without statuses', async () => {
      const repository = await harness.makeRepository()
      expect(await codehost.statuses(repository, await harness.commit(repository))).toEqual([])
    })
  })

  async function makeRun(changes: Partial<CheckRun> = {}) {
    const repository = await harness.makeRepository()
    const run: CheckRun = {
      name: 'service/config',
      head_sha: await harness.commit(repository),
      external_id: '1',
      details_url: 'https://ci.example.org/builds/1',
      conclusion: 'neutral',
      title: '1 finding',
      summary: '- **warn** unknown key "scirpt"',
      annotations: [
        {
          path: '.service.yml',
          start_line: 2,
          end_line: 2,
          start_column: 1,
          end_column: 7,
          level: 'warning',
          title: 'unknown_key',
          message: 'unknown key "scirpt", did you mean "script"?',
        },
      ],
      ...changes,
    }
    return { repository, run }
  }

  describe('check runs', () => {
    test('are kept with their annotations', async () => {
      const { repository, run } = await makeRun()
      await codehost.putCheckRun(repository, run)
      expect(await codehost.checkRuns(repository, run.head_sha)).toEqual([run])
    })

    test('are replaced by runs with the same name and external id', async () => {
      const { repository, run } = await makeRun()
      const mended: CheckRun = { ...run, conclusion: 'success', title: 'Fine', annotations: [] }
      await codehost.putCheckRun(repository, run)
      await codehost.putCheckRun(repository, mended)
      expect(await codehost.checkRuns(repository, run.head_sha)).toEqual([mended])
    })

    test('go from waiting to a conclusion with a text, and start again after that', async () => {
      const { repository, run } = await makeRun({ name: 'service - Branch', annotations: [] })
      const waiting: CheckRun = { ...run, conclusion: null, begun: false }
      const ended: CheckRun = { ...run, conclusion: 'failure', text: '### 1.1' }
      for (const each of [waiting, { ...waiting, begun: true }, ended, waiting]) {
        await codehost.putCheckRun(repository, each)
        expect(await codehost.checkRuns(repository, run.head_sha)).toEqual([each])
      }
    })

    test('are kept beside runs with another name, external id or commit', async () => {
      const { repository, run } = await makeRun()
      const elsewhere = { ...run, head_sha: await harness.commit(repository) }
      const others = [run, { ...run, external_id: '2' }, { ...run, name: 'service/build' }]
      for (const each of [...others, elsewhere]) await codehost.putCheckRun(repository, each)

      const runs = await codehost.checkRuns(repository, run.head_sha)
      expect(runs).toHaveLength(3)
      expect(runs).toEqual(expect.arrayContaining(others))
    })
  })

  describe('user', () => {
    test('is found by login', async () => {
      const user = await codehost.user(harness.login)
      expect(user).toMatchObject({ login: harness.login, codehost_id: expect.any(Number) })
    })

    test('is undefined if the login is unknown', async () => {
      expect(await codehost.user('nobody-has-this-login')).toBeUndefined()
    })
  })

  describe('repository', () => {
    test('reports its name, owner and default branch', async () => {
      const repository = await harness.makeRepository()
      await harness.commit(repository)
      const [login, name] = repository.slug.split('/')
      expect(await codehost.repository(repository)).toMatchObject({
        provider: codehost.provider,
        codehost_id: repository.codehost_id,
        name,
        private: repository.private,
        default_branch: 'main',
        owner: { login },
      })
    })

    test('is undefined if the repository is unknown', async () => {
      expect(await codehost.repository(harness.missingRepository())).toBeUndefined()
    })
  })
}
