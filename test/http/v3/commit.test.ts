import { beforeAll, expect, test } from 'vitest'
import type { Commit } from '../../../src/domain/commit/commit.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let repository: Repository
beforeAll(async () => {
  repository = await make.repository()
})

/** The commit of a new build, as that one shows it. */
async function commitShown({ id: commit_id }: Commit, query = ''): Promise<unknown> {
  const { id } = await make.build({ repository, commit_id })
  const { status, body } = await call(`GET /build/${id}${query}`)
  expect(status).toBe(200)
  return (body as { commit: unknown }).commit
}

const included = '?include=build.commit'

const minimalOf = ({ id }: Commit) => ({
  '@type': 'commit',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  id,
  sha: 'c'.repeat(40),
  ref: 'refs/heads/main',
  message: 'Say hello',
  compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
  committed_at: '2026-01-02T12:00:00Z',
})

test('a commit shows its author and committer only if it is included, and never their addresses', async () => {
  const commit = await make.commit(repository, { sha: 'c'.repeat(40), author_name: 'Anna' })
  expect(await commitShown(commit)).toEqual(minimalOf(commit))
  expect(await commitShown(commit, included)).toEqual({
    ...minimalOf(commit),
    '@representation': 'standard',
    committer: { name: 'Octavia', avatar_url: null },
    author: { name: 'Anna', avatar_url: null },
  })
})

test('a commit shows the picture of the user with the committer’s address', async () => {
  const { id } = await make.user('octavia')
  const avatar_url = 'https://a.example/octavia'
  await db.updateTable('users').set({ avatar_url }).where('id', '=', id).execute()
  const commit = await make.commit(repository, {
    sha: 'c'.repeat(40),
    author_email: 'other@example.org',
  })
  expect(await commitShown(commit, included)).toEqual({
    ...minimalOf(commit),
    '@representation': 'standard',
    committer: { name: 'Octavia', avatar_url },
    author: { name: 'Octavia', avatar_url: null },
  })
})

test('a commit that is known only by its hash shows nothing else', async () => {
  const commit = await make.commit(repository, {
    sha: 'c'.repeat(40),
    message: '',
    compare_url: null,
    committed_at: null,
    author_name: null,
    author_email: null,
    committer_name: null,
    committer_email: null,
  })
  expect(await commitShown(commit, included)).toEqual({
    ...minimalOf(commit),
    '@representation': 'standard',
    message: '',
    compare_url: null,
    committed_at: null,
    committer: { name: null, avatar_url: null },
    author: { name: null, avatar_url: null },
  })
})
