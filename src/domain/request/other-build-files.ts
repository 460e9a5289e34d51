/** Names of build files that need nothing but to be renamed. */
const renamed = ['.service.yaml', '.travis.yml', '.travis.yaml', 'service.yml']

/** Where other services look for what they run, in the root of a repository. */
const ofOthers: Readonly<Record<string, string>> = {
  '.github': 'GitHub Actions',
  '.gitlab-ci.yml': 'GitLab CI',
  '.woodpecker.yml': 'Woodpecker',
  '.woodpecker.yaml': 'Woodpecker',
  '.woodpecker': 'Woodpecker',
  '.drone.yml': 'Drone',
  '.circleci': 'CircleCI',
}

/** A file that someone may take for the build file of a repository that has none. */
export interface OtherBuildFile {
  name: string
  /** The service that it is for; null where it needs nothing but another name. */
  service: string | null
}

/** The first of the names of a root folder's entries that is such a file; null if none is. */
export function otherBuildFile(names: readonly string[]): OtherBuildFile | null {
  const name = renamed.find((each) => names.includes(each))
  if (name !== undefined) return { name, service: null }
  const found = Object.entries(ofOthers).find(([each]) => names.includes(each))
  return found ? { name: found[0], service: found[1] } : null
}

/** What to do about it, after "add .service.yml" or the like. */
export function adviceOn({ name, service }: OtherBuildFile, buildFile: string): string {
  return service === null
    ? `there is ${name}: rename it to ${buildFile}`
    : `add ${buildFile}; what ${name} may hold for ${service} is not run here`
}
