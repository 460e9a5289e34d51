import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { workTree } from '../support/git.ts'
import { type Need, needs } from '../support/needs.ts'

const timeout = 180_000

function tools(...names: string[]): Need {
  const missing = names.filter((name) => !existsSync(`/usr/bin/${name}`))
  return {
    tests: `of jobs that run ${names.join(' and ')}`,
    missing: missing.length > 0 ? `${missing.join(' and ')} is not in /usr/bin` : undefined,
  }
}

const env = { PATH: '/usr/bin:/bin' }

async function run(folder: string, more: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(['run', folder], { env: { ...env, ...more } })
  return { code, stdout: stdout.replaceAll('\r', ''), stderr }
}

test(
  'a job reports how it differs from its build file and its repository',
  { timeout },
  async () => {
    const tree = workTree()
    // More commits than a run copies.
    for (let count = 0; count < 51; count += 1) tree.git('commit', '-q', '--allow-empty', '-m', 'x')
    const file = [
      ...['language: shell', 'env:', '- A="open', 'git: {strategy: tarball}', 'services: redis'],
      ...['addons: {apt: {packages: jq}}', 'cache: npm', 'dist: xenial'],
      ...['script:', '- echo "<$A>"', '- sudo true', '- git describe'],
      ...['- jdk_switcher use 8', '- phpenv global 7', '- nvm use 4', '- kill -TERM $$'],
    ]
    tree.commit('Begin', { '.service.yml': `${file.join('\n')}\n` })
    const { code, stdout } = await run(tree.folder)
    for (const [key, effect] of [
      ['git.strategy', 'the commit is always fetched with git'],
      ['services', 'outside of containers, no services are started'],
      ['addons.apt', 'outside of containers, this add-on is not installed'],
      ['cache', 'nothing is cached'],
      ['dist', 'outside of containers, jobs run on the distribution of the runner’s machine'],
    ]) {
      expect(stdout).toContain(`The key "${key}" has no effect in this service: ${effect}.`)
    }
    for (const hint of [
      'Jobs on this runner cannot use sudo: run the command without it',
      'The clone of this job holds only the newest commits, and git describe',
      'There is no jdk_switcher here: remove it, and choose a version of Java with "jdk"',
      'There is no phpenv here: remove it, choose a version of PHP with "php"',
      'There is no nvm here: remove it, and choose a version of Node.js with "node_js"',
    ]) {
      expect(stdout).toContain(hint)
    }
    expect(stdout).toContain(
      '.service.yml:3: the definition of the variable "A" cannot be read and is left out: write',
    )
    expect(stdout).toContain('$ echo "<$A>"\n<>\n')
    expect(stdout).toMatch(/ended the shell during script\.\n+The job was ended by SIGTERM \(exit/)
    expect(stdout).not.toContain('Done.')
    expect(code).toBe(2)
  },
)

test(
  'a failed run is compared with the last runs of this folder that passed',
  { timeout },
  async () => {
    const tree = workTree()
    const file = (line: string) => ({
      '.service.yml': 'language: generic\nscript: sh check.sh\n',
      'check.sh': `echo "ERROR: printed by every run"\n${line}\n`,
    })
    const state = scratchFolder()
    const tried = async (line: string) => {
      tree.commit('Change', file(line))
      const { code, stderr } = await run(tree.folder, { XDG_STATE_HOME: state })
      return { code, stderr }
    }
    const wrong = 'echo "row 7: no name"; exit 3'
    const first = await tried(wrong)
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('A guess, because no green run of this job is known')
    expect((await tried('echo fine')).code).toBe(0)

    const { code, stderr } = await tried(wrong)
    expect(code).toBe(1)
    expect(stderr).toMatch(/"sh check\.sh" exited with 3\n {2}Lines that no compared green run has/)
    expect(stderr).toContain('(compared with 1 earlier run):')
    expect(stderr).toMatch(/^ +\d+ {2}row 7: no name$/m)
    expect(stderr).not.toContain('  ERROR: printed by every run')
    expect(stderr).toContain(
      'Nothing outside the commit is known to have changed between an earlier run of job 1.1, which passed',
    )

    // Files that another program has damaged are no runs.
    const [folder = ''] = readdirSync(path.join(state, 'build-service/runs'))
    const kept = path.join(state, 'build-service/runs', folder)
    for (const name of readdirSync(kept)) writeFileSync(path.join(kept, name), '[{"sha": 1}, 2]')
    expect((await tried(wrong)).stderr).toContain('no green run of this job is known')
  },
)

test('a run that cannot be kept has its own result', { timeout }, async () => {
  const tree = workTree()
  tree.commit('Begin', { '.service.yml': 'language: generic\nscript: echo fine\n' })
  const { code, stderr } = await run(tree.folder, { XDG_STATE_HOME: '/dev/null' })
  expect(code).toBe(0)
  expect(stderr).toContain('this run is not kept for later comparisons: ENOTDIR')
})

test(
  "npm keeps the machine's settings in a job",
  { ...needs(tools('node', 'npm')), timeout },
  async () => {
    const keys = ['registry', 'cafile']
    const settings = keys.map((key) =>
      execFileSync('npm', ['config', 'get', key], {
        env: { ...env, HOME: '/nonexistent' },
        encoding: 'utf8',
      }),
    )
    const tree = workTree()
    const file = ['language: node_js', 'install: skip', 'script:']
    const script = keys.map((key) => `- npm config get ${key}`)
    const files = { '.service.yml': [...file, ...script, ''].join('\n'), '.nvmrc': '1\n' }
    tree.commit('Begin', files)
    const { code, stdout, stderr } = await run(tree.folder)
    expect(stdout).toContain('.nvmrc asks for "1", which jobs do not find on this machine')
    expect(stderr).toContain(
      '1 of 1 job ran with a version other than the one the project asks for',
    )
    for (const [index, key] of keys.entries()) {
      expect(stdout).toContain(`$ npm config get ${key}\n${settings[index]}The command`)
    }
    expect(code).toBe(0)
  },
)

test(
  "files in the repository select a job's language versions, and the fetch of a submodule is tried three times",
  { ...needs(tools('ruby', 'python3', 'go')), timeout },
  async () => {
    const tree = workTree()
    const url = 'http://127.0.0.1:1/part.git'
    const sha = tree.commit('Begin', {
      '.gitmodules': `[submodule "part"]\n  path = part\n  url = ${url}\n`,
      '.tool-versions': 'ruby 1.8.7\n',
      '.python-version': '2.2\n',
      'go.mod': 'module example.org/x\n\ngo 1.999\n',
      '.service.yml': [
        ...['git: {submodules: false}', 'install: skip', 'script: echo begun', 'jobs:'],
        ...['  include:', '    - language: ruby', '    - language: python', '    - language: go'],
        ...['    - {language: shell, git: {submodules: true}}', ''],
      ].join('\n'),
    })
    tree.git('update-index', '--add', '--cacheinfo', `160000,${sha},part`)
    tree.git('commit', '-q', '-m', 'Add a part')
    const { code, stdout, stderr } = await command(['run', '--head', tree.folder], { env })
    const log = stdout.replaceAll('\r', '')
    for (const asked of [
      '.tool-versions asks for "ruby 1.8.7"',
      '.python-version asks for "2.2"',
      'go.mod asks for "go 1.999"',
    ]) {
      expect(log).toContain(`${asked}, which jobs do not find on this machine: the job runs with`)
    }
    expect(stderr).toContain('3 of 4 jobs ran with a version other than the one the project')
    // The first two tries follow each other immediately, without the code host.
    expect(log.match(/^127\.0\.0\.1 cannot be reached\. Retrying in 5 seconds\.$/gm)).toHaveLength(
      1,
    )
    expect(log).toContain(
      'The submodules cannot be checked out: 127.0.0.1 cannot be reached. Restart the job when it',
    )
    expect(code).toBe(2)
  },
)

test(
  'a Go package is named after the origin of its repository',
  { ...needs(tools('go')), timeout },
  async () => {
    const tree = workTree()
    tree.git('remote', 'add', 'origin', 'git@git.example:octavia/greet.git')
    const file = 'language: go\nenv: GO111MODULE=off\ninstall: skip\nscript: go list .\n'
    tree.commit('Begin', { '.service.yml': file, 'main.go': 'package main\n\nfunc main() {}\n' })
    const { code, stdout } = await run(tree.folder)
    expect(stdout).toContain('$ go list .\ngit.example/octavia/greet\n')
    expect(code).toBe(0)
  },
)

test(
  "a job for an unknown system is not run, and the system's name is escaped on the terminal",
  { timeout },
  async () => {
    const tree = workTree()
    const file = [
      ...['language: shell', 'script: uname', 'jobs:', '  include:'],
      ...[
        '    - os: {name: osx}',
        String.raw`    - os: "\e[7mosx\e[0m"`,
        `    - os: ${'x'.repeat(999)}`,
      ],
    ]
    tree.commit('Begin', { '.service.yml': `${file.join('\n')}\n` })
    const { code, stdout, stderr } = await command(['run', tree.folder], { env })
    const long = `${'x'.repeat(59)}…`
    expect(stderr).toContain(
      String.raw`3 of 3 jobs not run: os {"name":"osx"}, os \x1b[7mosx\x1b[0m, os ` + long,
    )
    expect(stdout).toContain(String.raw`asks for "os: \x1b[7mosx\x1b[0m", and`)
    expect(stdout + stderr).not.toContain('\u001B[7m')
    expect(code).toBe(2)
  },
)
