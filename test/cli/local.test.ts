import { once } from 'node:events'
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
  test('is built from a commit to a page, by the commands that users call', async () => {
    const DATA_DIR = scratchFolder()
    const env = { DATA_DIR, PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
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

    // What is committed while the service is down is found when it starts.
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
    } finally {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
    expect(service.exitCode).toBe(0)
    expect((await run('local', 'remove', '.')).stdout).toContain('removed team/hello')
  }, 180_000)
})
