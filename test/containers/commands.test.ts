import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, command, outcomeOf, scratchFolder, startCommand } from '../support/command.ts'
import { startTestEngine, type TestEngine, whyNoEngine } from '../support/docker/engine.ts'
import { addToImage, importImage } from '../support/docker/images.ts'
import { needs } from '../support/needs.ts'

describe(
  'with an engine',
  needs({ tests: 'of jobs in containers', missing: whyNoEngine() }),
  () => {
    let engine: TestEngine
    let env: Record<string, string>

    beforeAll(async () => {
      engine = await startTestEngine()
      await engine.start()
      await importImage(engine.engine, 'tests:base')
      for (const version of ['18', '20']) {
        const scripts = { '/usr/bin/node': `#!/bin/bash\necho v${version}.1.2\n` }
        await addToImage(engine.engine, `tests-node:${version}`, scripts)
      }
      env = {
        DOCKER_HOST: engine.env['DOCKER_HOST'] ?? '',
        CLONE_IMAGE: 'tests:base',
        IMAGES:
          'pull: never\ndefault: tests:base\nnode_js: tests-node:{version}\nruby: none:{version}',
      }
    })
    afterAll(() => engine.stop())

    async function leftovers(): Promise<number> {
      const containers = await engine.engine.listContainers({ all: true })
      const { Volumes } = await engine.engine.listVolumes()
      const networks = await engine.engine.listNetworks()
      const ours = networks.filter(({ Name }) => Name.startsWith('build-service'))
      return containers.length + (Volumes ?? []).length + ours.length
    }

    function repository(files: Record<string, string>): string {
      const folder = scratchFolder()
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: folder,
          stdio: 'pipe',
        })
      git('init', '-q', '-b', 'main')
      git('add', '.')
      git('commit', '-q', '-m', 'one')
      return folder
    }

    test('run --docker runs each job in the image of its version', async () => {
      const folder = repository({
        '.service.yml': [
          'language: node_js',
          'node_js: [18, 20]',
          'install: skip',
          'script: echo "in $(node --version) as $(id -un)" && test -e .service.yml',
          'jobs:',
          '  include:',
          '    - language: ruby',
          '      rvm: 3.4',
          '      script: echo never',
        ].join('\n'),
      })
      const { code, stdout, stderr } = await command(['run', '--docker', folder], { env })
      expect(stdout).toContain('in v18.1.2 as root')
      expect(stdout).toContain('in v20.1.2 as root')
      expect(stdout).toContain('Image: tests-node:18')
      expect(stdout).toContain('The image none:3.4 is not on the machine')
      expect(stdout).not.toContain('never\n')
      expect(stderr).toContain('containers of the Docker engine')
      expect(code).toBe(2)
      expect(await leftovers()).toBe(0)
    })

    test('run --docker reads the version from the checkout', async () => {
      const files = {
        '.service.yml': 'language: node_js\ninstall: skip\nscript: node --version',
        '.nvmrc': 'v20\n',
      }
      const { code, stdout } = await command(['run', '--docker', repository(files)], { env })
      expect(stdout).toContain('Image: tests-node:20')
      expect(code).toBe(0)
    })

    test('a service with EXECUTOR=docker shows the image of a job in the API and on its page', async () => {
      const data = scratchFolder()
      const settings = {
        ...env,
        EXECUTOR: 'docker',
        DATA_DIR: path.join(data, 'data'),
        PORT: '0',
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
      }
      const child = startCommand(['start'], { env: settings })
      try {
        const address = await addressOf(child)
        const folder = repository({ '.service.yml': 'script: echo "runs in $HOSTNAME"' })
        const added = await command(['local', 'add', folder, '--build', '--name', 'o/r'], {
          env: settings,
        })
        expect(added).toMatchObject({ code: 0 })
        const token = (await command(['token'], { env: settings })).stdout.trim()
        const headers = { 'service-api-version': '3', authorization: `token ${token}` }
        const job = await eventually(async () => {
          const answer = await fetch(`${address}/job/1?include=job.image`, { headers })
          const found = (await answer.json()) as { state?: string; image?: string }
          return found.state === 'passed' || found.state === 'errored' ? found : undefined
        })
        expect(job).toMatchObject({ state: 'passed', image: 'tests:base' })
        const log = await fetch(`${address}/job/1/log.txt`, { headers })
        expect(await log.text()).toContain('runs in job-1')
      } finally {
        child.kill('SIGTERM')
        await outcomeOf(child)
      }
      expect(await leftovers()).toBe(0)

      const examined = await command(['doctor'], { env: settings })
      expect(examined.stdout).toMatch(/executor.*containers of the Docker engine/)
      expect(examined.stdout).toContain(
        'a test program ran, and cannot reach the machine or its local network',
      )
      expect(await leftovers()).toBe(0)
    })

    test('doctor leaves nothing behind when it is interrupted', async () => {
      const settings = { ...env, EXECUTOR: 'docker', DATA_DIR: scratchFolder() }
      const child = startCommand(['doctor'], { env: settings })
      await new Promise<void>((resolve) => {
        let text = ''
        child.stdout?.on('data', (bytes) => {
          text += String(bytes)
          if (text.includes('this service has pulled none so far')) resolve()
        })
      })
      child.kill('SIGINT')
      const { code } = await outcomeOf(child)
      expect(code).toBe(130)
      expect(await leftovers()).toBe(0)
    })

    test('doctor and start suggest a remedy if no engine responds', async () => {
      const settings = {
        ...env,
        EXECUTOR: 'docker',
        DOCKER_HOST: 'unix:///none/docker.sock',
        DATA_DIR: scratchFolder(),
      }
      const started = await command(['start'], { env: settings })
      expect(started.code).not.toBe(0)
      expect(started.stderr).toContain('start it, set DOCKER_HOST, or give this account access')
      const wrong = await command(['start'], { env: { ...settings, IMAGES: 'node_js: 3' } })
      expect(wrong.stderr).toContain('IMAGES cannot be used')
    })
  },
)

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not happen')
}
