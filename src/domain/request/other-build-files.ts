import { observedBuildFiles } from '../config/observed-names.ts'

/** Names of build files that only need to be renamed. */
const renamed = ['.service.yaml', ...observedBuildFiles, 'service.yml']

/** Configuration files and folders of other services, in the root of a repository. */
const ofOthers: Readonly<Record<string, string>> = {
  '.github': 'GitHub Actions',
  '.gitlab-ci.yml': 'GitLab CI',
  '.woodpecker.yml': 'Woodpecker',
  '.woodpecker.yaml': 'Woodpecker',
  '.woodpecker': 'Woodpecker',
  '.drone.yml': 'Drone',
  '.circleci': 'CircleCI',
  'azure-pipelines.yml': 'Azure Pipelines',
  'bitbucket-pipelines.yml': 'Bitbucket Pipelines',
  'appveyor.yml': 'AppVeyor',
  '.appveyor.yml': 'AppVeyor',
  '.cirrus.yml': 'Cirrus CI',
  '.buildkite': 'Buildkite',
  'buildspec.yml': 'AWS CodeBuild',
}

/** A file that someone may take for the build file of a repository that has none. */
export interface OtherBuildFile {
  name: string
  /** The service that the file is for; null if it only needs another name. */
  service: string | null
}

/** The first such file among the names of a root folder's entries; null if there is none. */
export function otherBuildFile(names: readonly string[]): OtherBuildFile | null {
  const name = renamed.find((each) => names.includes(each))
  if (name !== undefined) return { name, service: null }
  const found = Object.entries(ofOthers).find(([each]) => names.includes(each))
  return found ? { name: found[0], service: found[1] } : null
}

/** What to do about such a file, as part of a sentence. */
export function adviceOn({ name, service }: OtherBuildFile, buildFile: string): string {
  return service === null
    ? `there is ${name}: rename it to ${buildFile}`
    : `add ${buildFile}; jobs that ${name} defines for ${service} are not run here`
}
