import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git, temporaryFolders } from '../local/git-folder.ts'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, makeRepository } = await fakeScene()
const { makeFolder } = await temporaryFolders()

/** The address of a repository, with a token as the password. */
function address({ name }: { name: string }, token?: string): string {
  const url = new URL(`${host.url}/octavia/${name}.git`)
  if (token !== undefined) Object.assign(url, { username: 'x-access-token', password: token })
  return url.href
}

/** Runs git in a new folder, without prompts for a password. */
async function inFolder(...args: string[]) {
  const folder = await makeFolder()
  const printed = await git(folder, '-c', 'core.askPass=true', ...args)
  return { folder, printed }
}

async function tokenOf(repository: Parameters<typeof asInstallation>[0]): Promise<string> {
  await (await asInstallation(repository)).rest.repos.get(named(repository))
  const token = host.tables.tokens.findLast(({ kind }) => kind === 'installation')
  return token?.token ?? ''
}

test('a private repository can be cloned with a token only', async () => {
  const repository = await makeRepository({ private: true, files: { file: 'Hello' } })
  const token = await tokenOf(repository)
  const { folder } = await inFolder('clone', '--quiet', address(repository, token), 'made')
  expect(await readFile(path.join(folder, 'made/file'), 'utf8')).toBe('Hello')

  for (const wrong of [undefined, 'ghs_wrong']) {
    await expect(inFolder('ls-remote', address(repository, wrong))).rejects.toThrow(
      /Authentication failed|could not read/,
    )
  }
})

test('a token fetches only the repositories it is limited to', async () => {
  const repository = await host.addRepository({ owner: 'grace', private: true })
  const token = await tokenOf(repository)
  const other = await makeRepository({ private: true, files: { file: 'x' } })
  await expect(inFolder('ls-remote', address(other, token))).rejects.toThrow(/not found/)
})

test('a public repository can be cloned by everyone, even under its former name', async () => {
  const repository = await makeRepository({ files: { file: 'x' } })
  const former = address(repository)
  await host.rename(repository, 'moved')
  const { printed } = await inFolder('ls-remote', former, 'refs/heads/main')
  expect(printed).toMatch(/^[0-9a-f]{40}\trefs\/heads\/main$/)
})

test('a commit is fetched by its id, and a pull request by its refs', async () => {
  const repository = await makeRepository({ files: { file: 'x' } })
  const lost = await host.commit(repository, { branch: 'lost', files: { lost: 'x' } })
  await host.pushRef(repository, 'refs/heads/lost')
  expect(await inFolder('fetch', '--quiet', '--depth=1', address(repository), lost)).toBeTruthy()

  const sha = await host.commit(repository, { branch: 'greet', files: { other: 'x' } })
  const pull = await host.openPull(repository, { head: 'greet' })
  const octokit = await asInstallation(repository)
  const { data } = await octokit.rest.pulls.get({ ...named(repository), pull_number: pull.number })
  const refs = async () => (await inFolder('ls-remote', address(repository), 'refs/pull/*')).printed
  const head = `${sha}\trefs/pull/1/head`
  expect(await refs()).toBe(`${head}\n${data.merge_commit_sha}\trefs/pull/1/merge`)
  await host.closePull(pull)
  expect(await refs()).toBe(head)
})

test('a user can push, and the app cannot', async () => {
  const repository = await makeRepository({ files: { file: 'x' } })
  const push = (token: string) =>
    inFolder('clone', '--quiet', address(repository, token), 'made').then(async ({ folder }) => {
      const made = path.join(folder, 'made')
      await git(made, 'commit', '--quiet', '--allow-empty', '-m', 'Pushed')
      await git(made, 'push', '--quiet', 'origin', 'main')
      return git(made, 'rev-parse', 'HEAD')
    })
  await expect(push(await tokenOf(repository))).rejects.toThrow(/Permission to .* denied|403/)
  const sha = await push(host.userToken('octavia'))
  const { printed } = await inFolder('ls-remote', address(repository), 'main')
  expect(printed).toBe(`${sha}\trefs/heads/main`)
})
