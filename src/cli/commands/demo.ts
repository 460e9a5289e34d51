import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { notify } from '../../codehost/local/notify.ts'
import { openPull } from '../../codehost/local/pulls.ts'
import { addRepository } from '../../codehost/local/register.ts'
import type { RepositoryFacts } from '../../domain/event.ts'
import { readConfig } from '../../config/config.ts'
import { issueToken } from '../../flow/issue-token.ts'
import { registerRepository } from '../../flow/register-repository.ts'
import { type Service, startService } from '../../service/start.ts'
import { findUserByLogin } from '../../store/users.ts'
import { git } from '../git-copy.ts'
import { deliverTo } from '../local.ts'
import { createLog } from '../log.ts'
import { untilStopped } from '../signals.ts'
import { paint } from '../terminal.ts'
import { tellStory } from '../tell-story.ts'

const sample = fileURLToPath(new URL('../../../demo/sample', import.meta.url))

/** Shows the whole story on an empty machine: everything is embedded, nothing is left behind. */
export async function demo({ exit = false }: { exit?: boolean }): Promise<void> {
  const given = process.env.DATA_DIR
  const folder = given ?? (await newFolder())
  try {
    process.exitCode = await show(folder, exit)
  } finally {
    if (given === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Others may pass through, so that jobs can run below it as users of their own. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'build-service-demo-'))
  await chmod(folder, 0o711)
  return folder
}

async function show(folder: string, exit: boolean): Promise<number> {
  const env = { LOG_LEVEL: 'error', ...process.env, DATA_DIR: folder }
  const config = readConfig(env)
  console.log(paint('bold', 'Starting PostgreSQL, queue, runner, API and pages …'))
  const service = await startService(config, { log: createLog(config) })
  try {
    console.log(`${service.probe?.says ?? ''}\n`)
    const ok = await play(service, folder)
    if (exit) return ok ? 0 : 1
    console.log(paint('bold', '\nServing until you press Ctrl-C.'))
    await untilStopped(() => console.log('\nStopping …'))
    return 0
  } finally {
    await service.stop()
  }
}

/** The push, the push of the pull request's branch, and the pull request itself. */
const builds = 3

/** Pushes a commit and opens a pull request, and tells what comes of it. */
async function play(service: Service, folder: string): Promise<boolean> {
  const repository = path.join(folder, 'sample')
  const facts = await register(service, repository)
  const told = tellStory(service, builds)
  const deliver = deliverTo(service.localUrl, service.ctx.sealer)

  console.log(paint('bold', '\n$ git push            (a commit on main)'))
  await commit(repository, 'GREETING.md', 'Greetings are kind.\n', 'Write down what greetings are')
  await notify(service.local, facts, deliver)

  console.log(paint('bold', '$ git push && open a pull request for the branch `louder`'))
  await git(repository, ['checkout', '--quiet', '-b', 'louder'])
  await commit(repository, 'LOUDER.md', 'Greetings may be loud.\n', 'Allow louder greetings')
  await openPull(service.local, facts, { base: 'main', head: 'louder' })
  await notify(service.local, facts, deliver)

  const ok = await told
  await printCalls(service, facts)
  return ok
}

async function register(service: Service, repository: string): Promise<RepositoryFacts> {
  await rm(repository, { recursive: true, force: true })
  await mkdir(path.dirname(repository), { recursive: true })
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
  const who = ['-c', 'user.name=Octavia', '-c', 'user.email=octavia@example.org']
  await git(repository, [...who, 'commit', '--quiet', '--no-verify', '-m', message])
}

async function printCalls({ url, ctx }: Service, facts: RepositoryFacts): Promise<void> {
  const slug = `${facts.owner.login}/${facts.name}`
  const user = await findUserByLogin(ctx.db, facts.owner.login)
  const token = user ? await issueToken(ctx, user, 'demo') : ''
  const auth = `-H 'Authorization: token ${token}'`
  const legacy = "-H 'Accept: application/vnd.service.2.1+json'"
  const current = "-H 'Service-API-Version: 3'"
  console.log(`
${paint('bold', 'Look at it:')}
  ${url}/${slug}/builds/1    the page of the first build
  token: ${token}

${paint('bold', 'Call it:')}
  curl -s ${legacy} ${auth} ${url}/builds/1
  curl -s ${legacy} '${url}/requests?repository_id=1'
  curl -s ${url}/jobs/1/log
  curl -s ${current} ${url}/
  curl -s ${current} ${auth} ${url}/repo/${encodeURIComponent(slug)}`)
}
