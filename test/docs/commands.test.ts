// Runs the commands of the README and of docs, page by page, against one service.
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, outcomeOf, program, startCommand } from '../support/command.ts'
import { type CodeBlock, codeBlocks, pagesIn, readPage } from '../support/markdown.ts'
import { type Need, needs } from '../support/needs.ts'

const pages = ['README.md', ...pagesIn('docs').filter((page) => page.startsWith('docs/'))]
const shellBlocks = (page: string) =>
  codeBlocks(readPage(page)).filter(({ language }) => language === 'sh')

/** The blocks of each page that are run. One that an earlier page has is not run twice. */
function toRun(): [page: string, blocks: CodeBlock[]][] {
  const seen = new Set<string>()
  return pages.flatMap((page) => {
    const blocks = shellBlocks(page).filter(({ text, notRun }) => {
      if (notRun !== undefined || seen.has(text)) return false
      seen.add(text)
      return true
    })
    return blocks.length === 0 ? [] : [[page, blocks] as [string, CodeBlock[]]]
  })
}

test('at most 12 blocks are not run, each with a reason', () => {
  const left = pages.flatMap((page) =>
    shellBlocks(page).filter(({ notRun }) => notRun !== undefined),
  )
  expect(left.length).toBeLessThanOrEqual(12)
})

test('commands are in blocks of `sh` only', () => {
  const others = pages.flatMap((page) =>
    codeBlocks(readPage(page))
      .filter(({ language }) => ['', 'bash', 'shell', 'console'].includes(language))
      .map(({ line }) => `${page}:${line}`),
  )
  expect(others).toEqual([])
})

const isThere = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
const tools: Need = {
  tests: 'of commands in the documentation',
  missing: ['curl', 'jq'].every(isThere) ? undefined : 'this machine has no curl or jq',
}

describe('the commands of', needs(tools), () => {
  let scratch = ''
  let service: ChildProcess | undefined
  let env: Record<string, string> = {}

  beforeAll(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), 'build-service-docs-'))
    // Jobs run as users of their own where this is root.
    chmodSync(scratch, 0o755)
    const bin = path.join(scratch, 'bin')
    const searched = `${bin}:${process.env.PATH}`
    mkdirSync(bin)
    writeProgram('build-service', `exec '${process.execPath}' '${program}' "$@"`)
    // A response that refuses a call fails its block.
    writeProgram('curl', `PATH=\${PATH#*:} exec curl --fail-with-body "$@"`)
    env = { PATH: searched, HOME: scratch, DATA_DIR: path.join(scratch, 'data'), PORT: '0' }
    prepareRepositories()

    service = startCommand(['start'], { env })
    const address = await addressOf(service)
    env = { ...env, SERVICE: address }
    const { stdout } = await bash(
      `build-service local add ~/code/octavia --name octavia/hello --build >&2
       build-service token`,
      'code/hello',
    )
    env = { ...env, TOKEN: stdout.trim() }
    const passed = `curl --silent "$SERVICE/repos/octavia/hello" | grep --quiet '"passed"'`
    await bash(`until ${passed}; do sleep 0.5; done`, 'code')
  })

  afterAll(async () => {
    if (service?.exitCode === null) {
      service.kill()
      await once(service, 'exit')
    }
    rmSync(scratch, { recursive: true, force: true })
  })

  test.each(toRun())('%s', async (page, blocks) => {
    const steps = blocks.map(({ text, line }) => `echo '@ line ${line}' >&2\n${here(text)}`)
    const folder = page === 'docs/migrating.md' ? 'code/old' : 'code/hello'
    const { code, stdout, stderr } = await bash(steps.join('\n'), folder)
    expect(code, `${stdout}\n${stderr}`).toBe(0)
  })

  test('a command that fails is found', async () => {
    const { code, stderr } = await bash('build-service lnit\necho on', 'code/hello')
    expect(code).not.toBe(0)
    expect(stderr).toContain("unknown command 'lnit'")
    expect(await bash('curl --silent "$SERVICE/repo/nowhere"', 'code')).toMatchObject({ code: 22 })
  })

  /** With the address of this service instead of those of the examples. */
  function here(text: string): string {
    const address = env.SERVICE ?? ''
    return text
      .replaceAll('http://127.0.0.1:3000', address)
      .replaceAll('https://ci.example.org', address)
  }

  function bash(text: string, folder: string) {
    const cwd = path.join(scratch, folder)
    // Bash would read its start file where its input is a socket.
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    return outcomeOf(spawn('bash', ['-euo', 'pipefail', '-c', text], { cwd, env, stdio }))
  }

  function writeProgram(name: string, line: string): void {
    writeFileSync(path.join(scratch, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  }

  /** The repositories of the examples, each with a script that passes; `old` has another build file. */
  function prepareRepositories(): void {
    const file =
      'language: generic\nenv:\n  - GREETING=hello\n  - GREETING=salut\nscript: ./test.sh\n'
    writeFileSync(
      path.join(scratch, '.gitconfig'),
      '[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n',
    )
    for (const [name, buildFile] of [
      ['hello', '.service.yml'],
      ['octavia', '.service.yml'],
      ['old', '.travis.yml'],
    ] as const) {
      const folder = path.join(scratch, 'code', name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, 'test.sh'), '#!/bin/sh\ntrue\n', { mode: 0o755 })
      writeFileSync(path.join(folder, buildFile), file)
      const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: scratch } }
      const commit = 'git init -q && git add . && git commit -qm "Say hello"'
      expect(spawnSync('sh', ['-c', commit], options).status).toBe(0)
    }
  }
})
