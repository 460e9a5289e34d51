import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratchFolder } from './support/command.ts'
import { workTree } from './support/git.ts'
import { type Need, needs } from './support/needs.ts'

const root = path.resolve(import.meta.dirname, '..')
const minutes = 60_000

/** Everything but what the npm that runs the tests tells its scripts about itself. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle|package|node|exec|command|config_(\w+_)?prefix)/.test(name),
  ),
)

const registry: Need = {
  tests: 'of installing the command',
  missing:
    spawnSync('npm', ['view', 'npm@10', 'version'], { env: environment }).status === 0
      ? undefined
      : 'the registry of npm is out of reach',
}

const preCommit: Need = {
  tests: 'of the commit hook as a whole',
  missing:
    registry.missing ??
    (spawnSync('pre-commit', ['--version']).status === 0 ? undefined : 'there is no pre-commit'),
}

/** A fresh clone of what lies here, as a commit of its own. */
function freshClone(): { folder: string; sha: string } {
  const { folder, commit } = workTree()
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of new Set(files.split('\0').filter(Boolean))) {
    cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true })
  }
  return { folder, sha: commit('Everything') }
}

function run(command: string, args: readonly string[], cwd: string, more = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...environment, ...more },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
  return stdout
}

/** The command that lies in a prefix of npm, with a build file that has a mistake. */
function lintWith(prefix: string) {
  const cwd = scratchFolder()
  cpSync(path.join(root, 'demo/sample/.service.yml'), path.join(cwd, '.service.yml'))
  const command = path.join(prefix, 'bin/build-service')
  const { status, stdout, stderr } = spawnSync(command, ['lint', '--no-advice'], {
    cwd,
    encoding: 'utf8',
  })
  return { status, stderr, found: /\[\w+\]/g.exec(stdout)?.[0] }
}

const works = { status: 1, stderr: '', found: '[find_key]' }

describe.each([10, 11])('with npm %i, a fresh clone gives a command that runs', (major) => {
  const own = mkdtempSync(path.join(tmpdir(), `build-service-npm-${major}-`))
  const program = path.join(own, 'node_modules/npm/bin/npm-cli.js')

  beforeAll(() => {
    if (registry.missing !== undefined) return
    run('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, `npm@${major}`], own)
  }, minutes)

  afterAll(() => rmSync(own, { recursive: true, force: true }))

  /** Runs this version of npm, which installs where the environment says. */
  function npm(args: readonly string[], cwd: string, prefix = scratchFolder()): string {
    return run(process.execPath, [program, ...args], cwd, { npm_config_prefix: prefix })
  }

  // As pre-commit does it from version 4.6 on.
  test('installed from git', { ...needs(registry), timeout: 5 * minutes }, () => {
    const { folder } = freshClone()
    const prefix = scratchFolder()
    const how = ['install', '--allow-git=root', '--install-links', '-g']
    npm([...how, `git+file://${folder}`], prefix, prefix)
    expect(lintWith(prefix)).toEqual(works)
    // What it bundled at the first start serves the next.
    expect(lintWith(prefix)).toEqual(works)
  })

  test('installed from its package', { ...needs(registry), timeout: 5 * minutes }, () => {
    const { folder } = freshClone()
    const prefix = scratchFolder()
    // Older versions of pre-commit take all that is written for the name of the package.
    const name = npm(['pack'], folder).trim()
    npm(['install', '-g', path.join(folder, name)], prefix, prefix)
    expect(lintWith(prefix)).toEqual(works)
  })
})

test('pre-commit runs the hook', { ...needs(preCommit), timeout: 10 * minutes }, () => {
  const { folder, sha } = freshClone()
  const { folder: cwd, commit } = workTree()
  commit('A mistake', {
    '.pre-commit-config.yaml': `repos: [{repo: '${folder}', rev: ${sha}, hooks: [{id: build-service-lint}]}]\n`,
    '.service.yml': 'language: ruby\nscirpt: make\n',
  })
  const { status, stdout } = spawnSync('pre-commit', ['run', '--all-files'], {
    cwd,
    env: { ...environment, PRE_COMMIT_HOME: scratchFolder() },
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^lint the build file\.+Failed$/m)
  expect(stdout).toContain('there is no key "scirpt", it is read as "script"')
  expect(status).toBe(1)
})
