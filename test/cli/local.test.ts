import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { addressOf, command, scratchFolder, startCommand } from '../support/command.ts'
import { workTree } from '../support/git.ts'

interface Requests {
  requests: { id: number; result: string; branch: string; pull_request: boolean }[]
}

interface Builds {
  builds: { event_type: string; state: string }[]
}

describe('a repository of this machine', () => {
  test('is built by the commands that users call, from the commit to the page', async () => {
    const DATA_DIR = scratchFolder()
    const log = { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
    const env = { DATA_DIR, PORT: '0', RUNNER_SLOTS: '1', ...log }
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'script: "true"' })
    const run = (...args: string[]) => command(args, { env, cwd: tree.folder })

    expect((await run('local', 'list')).stdout).toContain('no repository is registered')
    const added = await run('local', 'add', '.', '--name', 'team/hello')
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('registered team/hello'),
    })
    expect(added.stdout).toContain(
      'nothing is built yet: the next commit or push will be. To build the current state: ' +
        'build-service local add . --build',
    )
    expect((await run('local', 'notify')).stdout).toContain('it will find the changes')

    // Commits made while the service is down are found when it starts.
    tree.commit('While it was down')
    const service = startCommand(['start'], { env })
    const url = await addressOf(service)
    const requests = async () => {
      const answer = await fetch(`${url}/requests?slug=team/hello`)
      return ((await answer.json()) as Requests).requests
    }
    const builds = async () => {
      const answer = await fetch(`${url}/builds?slug=team/hello`)
      const { builds: made } = (await answer.json()) as Builds
      return made.map(({ event_type, state }) => `${event_type} ${state}`).toSorted()
    }
    try {
      await vi.waitFor(
        async () => expect(await requests()).toMatchObject([{ result: 'accepted' }]),
        { timeout: 30_000 },
      )

      // A head that starts with the name of its branch does not prove a fork.
      tree.git('checkout', '--quiet', '--detach')
      const branch = tree.commit('On a branch').slice(0, 1)
      tree.git('checkout', '--quiet', '-b', branch)
      await run('local', 'pull', 'main', branch)
      await vi.waitFor(
        async () => {
          const made = await requests()
          expect(made.map(({ branch, result }) => `${branch} ${result}`).toSorted()).toEqual([
            `${branch} accepted`,
            'main accepted',
            'main accepted',
          ])
          expect(await builds()).toEqual(['pull_request passed', 'push passed', 'push passed'])
        },
        { timeout: 60_000 },
      )

      const elsewhere = await run('local', 'notify', DATA_DIR)
      expect(elsewhere).toMatchObject({ code: 2 })
      expect(elsewhere.stderr).toContain(`${DATA_DIR} is not registered`)
      expect(elsewhere.stderr).toContain('build-service local add')
      const guessed = await fetch(`${url}/webhooks/local/changes`, {
        method: 'POST',
        headers: { authorization: `token ${'0'.repeat(64)}` },
        body: JSON.stringify({ folder: tree.folder }),
      })
      expect(guessed.status).toBe(401)

      const { stdout: token } = await run('token')
      const answer = await fetch(`${url}/repo/team%2Fhello`, {
        headers: { 'service-api-version': '3', authorization: `token ${token.trim()}` },
      })
      expect(await answer.json()).toMatchObject({ slug: 'team/hello', active: true })
      const page = await fetch(`${url}/team/hello/builds/1`, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('While it was down')

      tree.git('checkout', '--quiet', 'main')
      await cancelsAndMasks(tree, async (method, path, body) => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            'service-api-version': '3',
            authorization: `token ${token.trim()}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        return response.text()
      })
    } finally {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
    expect(service.exitCode).toBe(0)
    expect((await run('local', 'remove', '.')).stdout).toContain('removed team/hello')
  }, 300_000)
})

const passphrase = 'correct-horse-Battery9'

/** Lines that print the passphrase so that a terminal, a mail or a program shows it. */
const printing = [
  String.raw`sed "s/./&$(printf '\033[1m')/g" <<<"$PASSPHRASE"`,
  String.raw`sed "s/./&$(printf '\033]0;t\007')/g" <<<"$PASSPHRASE"`,
  String.raw`sed "s/.\{9\}/&=\n/g" <<<"$PASSPHRASE"`,
  'printf %s "$PASSPHRASE" | iconv -t UTF-16LE | base64 -w 0; echo',
]

/** Calls V3 of the API, and returns the text of the response. */
type Call = (method: string, path: string, body?: object) => Promise<string>

interface Built {
  id: number
  state: string
  commit: { sha: string }
  jobs: { id: number }[]
}

/** Three pushes with a slot for one job, with the settings of a repository. */
async function cancelsAndMasks(tree: ReturnType<typeof workTree>, ask: Call): Promise<void> {
  const repo = '/repo/team%2Fhello'
  await ask('PATCH', `${repo}/setting/auto_cancel_pushes`, { 'setting.value': true })
  const variable = { 'env_var.name': 'PASSPHRASE', 'env_var.value': passphrase }
  await ask('POST', `${repo}/env_vars`, variable)
  const buildOf = async (sha: string) => {
    const { builds } = JSON.parse(await ask('GET', `${repo}/builds?limit=10`)) as {
      builds: Built[]
    }
    return builds.find(({ commit }) => commit.sha === sha)
  }
  const inState = (sha: string, states: string[]) =>
    vi.waitFor(
      async () => {
        const build = await buildOf(sha)
        if (!build) throw new Error('there is no build yet')
        expect(states).toContain(build.state)
        return build
      },
      { timeout: 60_000, interval: 200 },
    )
  const logOf = async ({ jobs: [job] }: Built) =>
    (JSON.parse(await ask('GET', `/job/${job?.id}/log`)) as { content: string }).content

  const running = tree.commit('Takes long', {
    '.service.yml': 'language: shell\nscript: sleep 600',
  })
  await inState(running, ['started'])
  const waiting = tree.commit('Waits')
  await inState(waiting, ['created'])
  const file = [
    'language: shell',
    'script:',
    ...printing.map((line) => `- ${JSON.stringify(line)}`),
  ]
  const newest = tree.commit('Prints', { '.service.yml': file.join('\n') })
  expect(await logOf(await inState(waiting, ['canceled']))).toMatch(
    /The job never ran: it was canceled because build #\d+ of branch main is newer \(setting auto_cancel_pushes\)\./,
  )
  const { id } = await inState(running, ['started'])
  await ask('POST', `/build/${id}/cancel`)
  const ended = await inState(running, ['canceled'])
  await vi.waitFor(
    async () => expect(await logOf(ended)).toMatch(/The job was canceled by \S+\./),
    { timeout: 60_000 },
  )

  const passed = await inState(newest, ['passed'])
  const raw = await logOf(passed)
  const shown = stripVTControlCharacters(raw).replaceAll('\r', '')
  for (const line of printing) expect(shown).toContain(`$ ${line}\n`)
  expect(shown.match(/^\[secure\]\S{0,4}$/gm)).toHaveLength(printing.length)
  expect(shown.replaceAll('=\n', '')).not.toContain(passphrase)
  expect(shown).not.toContain(Buffer.from(passphrase, 'utf16le').toString('base64'))
  // Keys that are not in the file, such as the distribution, are not reported as having no effect.
  expect(shown).not.toContain('The key "')
  // Only folds and times of the technical output are left.
  expect(raw.replaceAll(/service_(?:fold|time):[^\r]*\r/g, '')).not.toMatch(/service_|__/)

  await ask('POST', `/job/${passed.jobs[0]?.id}/restart`)
  await vi.waitFor(async () => expect(await logOf(passed)).toContain('attempt: 2'), {
    timeout: 60_000,
  })
  await inState(newest, ['passed'])
}
