import { cp, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { notify } from '../../codehost/local/hooks/notify.ts'
import { openPull } from '../../codehost/local/pulls.ts'
import { addRepository } from '../../codehost/local/register.ts'
import { readConfig } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import type { RepositoryFacts } from '../../domain/event.ts'
import { registerRepository } from '../../flow/repositories/register-repository.ts'
import { issueToken } from '../../flow/tokens/issue-token.ts'
import { deliverTo } from '../../service/local/local-changes.ts'
import { type Service, startService } from '../../service/start.ts'
import { usersOfLogin } from '../../store/people/users.ts'
import { git } from '../git-copy.ts'
import { createLog } from '../log.ts'
import { printStory } from '../print-story.ts'
import { served } from '../served.ts'
import { endAs, stopSignal } from '../signals.ts'
import { dataIn, inTemporaryFolder } from '../temporary-folder.ts'
import { paint } from '../terminal.ts'

const sample = fileURLToPath(new URL('../../../demo/sample', import.meta.url))

interface DemoOptions {
  exit?: boolean
  docker?: boolean
}

/** Shows a push and a pull request on an empty machine; everything is embedded, and removed at the end. */
export async function demo({ exit = false, docker = false }: DemoOptions): Promise<void> {
  const stop = stopSignal(() => console.log('\nStopping …'))
  const dataDir = process.env.DATA_DIR?.trim()
  await endAs(stop, async () => {
    if (dataDir) {
      await refuseNonEmpty(dataDir)
      return runDemo(dataDir, { exit, docker }, stop)
    }
    return inTemporaryFolder('demo', (folder) => runDemo(dataIn(folder), { exit, docker }, stop))
  })
}

/** The demo needs an empty database, and must not delete existing files. */
async function refuseNonEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch(() => [])
  if (found.length === 0) return
  throw new SetupError(
    `the folder ${path.resolve(folder)} is not empty: ` +
      'set DATA_DIR to an empty one for the demo, or unset it to use a temporary one',
  )
}

async function runDemo(
  folder: string,
  { exit, docker }: DemoOptions,
  stop: AbortSignal,
): Promise<number> {
  const executor = docker ? { EXECUTOR: 'docker' } : {}
  const env = { LOG_LEVEL: 'error', ...process.env, ...executor, DATA_DIR: folder }
  const config = readConfig(env)
  console.log(paint('bold', 'Starting PostgreSQL, queue, runner, API and pages …'))
  const orFreePort = !process.env.PORT?.trim()
  const service = await startService(config, { log: createLog(config), orFreePort, say })
  try {
    stop.throwIfAborted()
    console.log(`${service.probe?.says ?? ''}\n`)
    const facts = await push(service, folder)
    const ok = await printStory(service, builds, stop)
    if (exit) return ok ? 0 : 1
    await printCalls(service, facts)
    console.log(paint('bold', '\nServing until you press Ctrl-C.'))
    await served(service, stop)
    return 0
  } finally {
    await service.stop()
  }
}

const say = (line: string) => console.log(paint('dim', line))

/** The push, the push of the pull request's branch, and the pull request itself. */
const builds = 3

/** Pushes a commit and opens a pull request. */
async function push(service: Service, folder: string): Promise<RepositoryFacts> {
  const repository = path.join(folder, 'sample')
  const facts = await register(service, repository)
  const deliver = deliverTo(service.localUrl, service.ctx.sealer)

  console.log(paint('bold', 'Pushing a commit to `main` …'))
  await commit(repository, 'GREETING.md', 'Greetings are kind.\n', 'Write down what greetings are')
  await notify(service.local, facts, deliver)

  console.log(paint('bold', 'Pushing the branch `louder`, and opening a pull request for it …\n'))
  await git(repository, ['checkout', '--quiet', '-b', 'louder'])
  await commit(repository, 'LOUDER.md', 'Greetings may be loud.\n', 'Allow louder greetings')
  await openPull(service.local, facts, { base: 'main', head: 'louder' })
  await notify(service.local, facts, deliver)
  return facts
}

async function register(service: Service, repository: string): Promise<RepositoryFacts> {
  await cp(sample, repository, { recursive: true })
  await git(repository, ['init', '--quiet', '--initial-branch=main'])
  await commit(repository, undefined, '', 'Begin')
  const facts = await addRepository(service.local, repository)
  await registerRepository(service.ctx, facts, { codehost_id: 1, login: service.local.owner })
  console.log(`Registered the repository ${facts.owner.login}/${facts.name} at ${repository}`)
  return facts
}

async function commit(
  repository: string,
  file: string | undefined,
  text: string,
  message: string,
): Promise<void> {
  if (file !== undefined) await writeFile(path.join(repository, file), text)
  await git(repository, ['add', '--all'])
  const author = ['-c', 'user.name=Octavia', '-c', 'user.email=octavia@example.org']
  await git(repository, [...author, 'commit', '--quiet', '--no-verify', '-m', message])
}

async function printCalls({ url, ctx }: Service, facts: RepositoryFacts): Promise<void> {
  const slug = `${facts.owner.login}/${facts.name}`
  const [user] = await usersOfLogin(ctx.db, facts.owner.login)
  const token = user ? await issueToken(ctx, user, 'demo') : ''
  const auth = `-H 'Authorization: token ${token}'`
  const legacy = "-H 'Accept: application/vnd.service.2.1+json'"
  const current = "-H 'Service-API-Version: 3'"
  console.log(`
${paint('bold', 'Look at it:')}
  ${url}/${slug}/builds/1    the page of the first build
  token: ${token}

${paint('bold', 'Call it:')}
  # the first build, with its jobs
  curl -s ${legacy} ${auth} ${url}/builds/1
  # why each webhook was built or not; a public repository needs no token
  curl -s ${legacy} '${url}/requests?repository_id=1'
  # the log of the first job, as text
  curl -s ${url}/jobs/1/log
  # all resources of the third generation of the API
  curl -s ${current} ${url}/
  # the repository, and what the token can do with it
  curl -s ${current} ${auth} ${url}/repo/${encodeURIComponent(slug)}`)
}
