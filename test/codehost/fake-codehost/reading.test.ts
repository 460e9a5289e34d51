import { describe, expect, test } from 'vitest'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, withToken, makeRepository } = await fakeScene()

async function readable(files: Parameters<typeof host.addRepository>[0] = {}) {
  const repository = await makeRepository({ private: true, ...files })
  return { repository, octokit: await asInstallation(repository), at: named(repository) }
}

describe('a repository', () => {
  test('is found by name and by id, in any case', async () => {
    const { repository, octokit } = await readable({ description: 'Says hello', language: 'Ruby' })
    const { data } = await octokit.request('GET /repositories/{id}', { id: repository.id })
    expect(data).toMatchObject({
      id: repository.id,
      name: repository.name,
      full_name: `octavia/${repository.name}`,
      private: true,
      fork: false,
      archived: false,
      default_branch: 'main',
      description: 'Says hello',
      language: 'Ruby',
      clone_url: `${host.url}/octavia/${repository.name}.git`,
      owner: { id: repository.owner.id, login: 'octavia', type: 'User' },
    })
    const repo = repository.name.toUpperCase()
    expect((await octokit.rest.repos.get({ owner: 'OCTAVIA', repo })).data).toEqual(data)
  })

  test('is visible only to users with access, unless it is public', async () => {
    const closed = await makeRepository({ private: true })
    const open = await makeRepository()
    const nobody = withToken()
    expect(await nobody.rest.repos.get(named(open))).toMatchObject({ status: 200 })
    await expect(nobody.rest.repos.get(named(closed))).rejects.toMatchObject({ status: 404 })
    await expect(withToken('ghs_wrong').rest.repos.get(named(open))).rejects.toMatchObject({
      status: 401,
    })
  })

  test('that was renamed is found under its former name as well', async () => {
    const { repository, octokit, at } = await readable({ files: { file: 'x' } })
    await host.rename(repository, 'renamed')
    const { data, url } = await octokit.rest.repos.getContent({ ...at, path: 'file' })
    expect(data).toMatchObject({ name: 'file' })
    expect(url).toBe(`${host.apiUrl}/repositories/${repository.id}/contents/file`)
  })

  test('is not sent again to a client that has the current version', async () => {
    const { repository, octokit, at } = await readable()
    const { headers } = await octokit.rest.repos.get(at)
    const again = () =>
      octokit.request('GET /repos/{owner}/{repo}', {
        ...at,
        headers: { 'if-none-match': headers.etag ?? '' },
      })
    const left = headers['x-ratelimit-remaining']
    await expect(again()).rejects.toMatchObject({
      status: 304,
      response: { headers: { etag: headers.etag, 'x-ratelimit-remaining': left } },
    })
    await host.edit(repository, { description: 'Another' })
    expect((await again()).data).toMatchObject({ description: 'Another' })
  })
})

test('lists are read page by page', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await host.addRepository({ owner: 'pages', name })
  const nobody = withToken()
  const listed = { username: 'pages', per_page: 2 }
  const { headers } = await nobody.rest.repos.listForUser({ ...listed, page: 2 })
  expect(headers.link?.split(', ').map((link) => link.replace(/^.*\?/, ''))).toEqual([
    'per_page=2&page=1>; rel="prev"',
    'per_page=2&page=3>; rel="next"',
    'per_page=2&page=3>; rel="last"',
    'per_page=2&page=1>; rel="first"',
  ])
  const all = await nobody.paginate(nobody.rest.repos.listForUser, listed)
  expect(all.map(({ name }) => name)).toEqual(names)
})

describe('contents', () => {
  const big = 'x'.repeat(1024 * 1024 + 1)
  const files = {
    file: 'Hello',
    'folder/inner': 'x',
    big,
    link: { link: 'folder/inner' },
    dangling: { link: 'nowhere' },
    module: { submodule: 'f'.repeat(40) },
  }

  test.each([
    ['file', { type: 'file', name: 'file', size: 5, encoding: 'base64', content: 'SGVsbG8=\n' }],
    ['folder/inner', { type: 'file', name: 'inner', path: 'folder/inner' }],
    ['link', { type: 'file', name: 'link', path: 'link', content: 'eA==\n' }],
    ['dangling', { type: 'symlink', target: 'nowhere' }],
    ['module', { type: 'submodule', size: 0, git_url: null }],
    ['big', { type: 'file', size: big.length, encoding: 'none', content: '' }],
  ])('of %s have the documented fields', async (path, expected) => {
    const { octokit, at } = await readable({ files })
    expect((await octokit.rest.repos.getContent({ ...at, path })).data).toMatchObject(expected)
  })

  test('of a folder are listed', async () => {
    const { octokit, at } = await readable({ files })
    const { data } = await octokit.rest.repos.getContent({ ...at, path: '' })
    if (!Array.isArray(data)) throw new Error('it is no list')
    expect(data.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      ...['big: file', 'dangling: symlink', 'file: file', 'folder: dir', 'link: symlink'],
      'module: file',
    ])
  })

  test('that are large are read as blobs, or raw', async () => {
    const { octokit, at } = await readable({ files })
    const { data } = await octokit.rest.repos.getContent({ ...at, path: 'big' })
    const file_sha = 'sha' in data ? data.sha : ''
    const blob = await octokit.rest.git.getBlob({ ...at, file_sha })
    expect(blob.data).toMatchObject({ sha: file_sha, size: big.length, encoding: 'base64' })
    expect(Buffer.from(blob.data.content, 'base64').toString()).toBe(big)
    const raw = await octokit.rest.repos.getContent({
      ...at,
      path: 'big',
      mediaType: { format: 'raw' },
    })
    expect(Buffer.from(raw.data as unknown as ArrayBuffer).toString()).toBe(big)
  })

  test.each([
    ['of nothing', { path: 'nothing' }, 404, 'Not Found'],
    [
      'of an unknown commit',
      { path: 'file', ref: 'none' },
      404,
      'No commit found for the ref none',
    ],
  ])('%s are missing', async (_, given, status, message) => {
    const { octokit, at } = await readable({ files })
    await expect(octokit.rest.repos.getContent({ ...at, ...given })).rejects.toMatchObject({
      status,
      response: { data: { message } },
    })
  })

  test('of an empty repository are missing', async () => {
    const { octokit, at } = await readable()
    await expect(octokit.rest.repos.getContent({ ...at, path: 'file' })).rejects.toMatchObject({
      status: 404,
      response: { data: { message: 'This repository is empty.' } },
    })
    const tree_sha = 'f'.repeat(40)
    await expect(octokit.rest.git.getTree({ ...at, tree_sha })).rejects.toMatchObject({
      status: 409,
    })
  })
})

test('trees are listed, recursively on request', async () => {
  const { repository, octokit, at } = await readable()
  const files = { 'folder/inner': 'x', module: { submodule: 'f'.repeat(40) } }
  const tree_sha = await host.commit(repository, { files })
  const short = await octokit.rest.git.getTree({ ...at, tree_sha })
  expect(short.data.tree.map(({ path, mode, type }) => [path, mode, type])).toEqual([
    ['folder', '040000', 'tree'],
    ['module', '160000', 'commit'],
  ])
  const long = await octokit.rest.git.getTree({ ...at, tree_sha, recursive: '1' })
  expect(long.data.tree.map(({ path }) => path)).toEqual(['folder', 'folder/inner', 'module'])
  expect(long.data.truncated).toBe(false)
})

describe('a commit', () => {
  test('is found by id, branch and tag, and names its users', async () => {
    const ada = host.addUser({ login: 'ada-1815', email: 'ada@example.org' })
    const { repository, octokit, at } = await readable()
    const message = 'Say hello\n\nTo the world'
    const sha = await host.commit(repository, { branch: 'feature/hello', message })
    await host.pushRef(repository, 'refs/tags/v1', { sha, message: 'One' })
    for (const ref of [sha, 'feature/hello', 'v1', 'heads/feature/hello']) {
      const { data } = await octokit.rest.repos.getCommit({ ...at, ref })
      expect(data).toMatchObject({
        sha,
        commit: {
          message,
          author: { name: 'Ada', email: 'ada@example.org', date: '2026-01-02T12:00:00Z' },
        },
        author: { id: ada.id, login: 'ada-1815' },
        parents: [],
      })
    }
  })

  test('is not found by any other name', async () => {
    const { octokit, at } = await readable({ files: { file: 'x' } })
    await expect(octokit.rest.repos.getCommit({ ...at, ref: 'none' })).rejects.toMatchObject({
      status: 422,
      response: { data: { message: 'No commit found for SHA: none' } },
    })
  })

  test('is listed, newest first', async () => {
    const { repository, octokit, at } = await readable()
    const first = await host.commit(repository)
    const second = await host.commit(repository)
    const { data } = await octokit.rest.repos.listCommits(at)
    expect(data.map(({ sha }) => sha)).toEqual([second, first])
  })
})
