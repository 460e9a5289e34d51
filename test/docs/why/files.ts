import { plain, pushed, setting, type Situation } from './situation.ts'

/** Build files that are not there, cannot be used, or have findings. */
export const files: Situation[] = [
  {
    title: 'There never was a build file',
    act: ({ host, repository }) => host.commit(repository, { files: { main: 'x' } }),
  },
  {
    title: 'An earlier commit had a build file',
    async act({ host, repository, push, rest }) {
      await push(plain)
      await rest()
      return host.commit(repository, { files: { '.service.yml': null } })
    },
  },
  {
    title: 'There is no build file, and none is needed',
    async act(scene) {
      await setting(scene, { builds_only_with_service_yml: false })
      return scene.host.commit(scene.repository, { files: { main: 'x' } })
    },
  },
  { title: 'The build file is empty', file: '\n', act: pushed },
  { title: 'The build file has no language and no script', file: 'os: linux\n', act: pushed },
  {
    title: 'The build file is one of another service',
    file: 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n',
    act: pushed,
  },
  { title: 'A bracket is not closed', file: 'script: [make\nenv: A=1\n', act: pushed },
  { title: 'A quote is not closed', file: 'language: c\nscript: "make\n', act: pushed },
  { title: 'A tab indents a line', file: 'script:\n\t- make\n', act: pushed },
  { title: 'The build file is a list', file: '- make\n- make test\n', act: pushed },
  {
    title: 'A file to import is missing',
    file: 'import: ci/base.yml\nscript: make\n',
    act: pushed,
  },
  {
    title: 'A file of another repository to import is missing, or cannot be read',
    file: 'import: team/ci:base.yml\nscript: make\n',
    act: pushed,
  },
  {
    title: 'The matrix makes more than 200 jobs',
    file: `language: ruby\nscript: rake\nrvm: [${range(15)}]\ngemfile: [${range(14)}]\n`,
    act: pushed,
  },
  { title: 'A key is misspelt', file: 'scirpt: make\n', act: pushed },
  { title: 'A key is unknown', file: 'script: make\nnonsense: yes\n', act: pushed },
  {
    title: 'The code host does not give the build file',
    file: plain,
    async act({ host, push, rest }, file) {
      const stop = host.failWhile({ kind: 'status', status: 451 }, /^GET .*\/contents\//)
      const sha = await push(file)
      await rest()
      stop()
      return sha
    },
  },
]

function range(count: number): string {
  return Array.from({ length: count }, (_none, index) => `v${index + 1}`).join(', ')
}
