/** Keys that the root of a build file may have. */
export const rootKeys = [
  'language',
  'os',
  'dist',
  'if',
  'env',
  'jobs',
  'matrix',
  'stages',
  'before_install',
  'install',
  'before_script',
  'script',
  'before_cache',
  'after_success',
  'after_failure',
  'after_script',
  'addons',
  'branches',
  'cache',
  'deploy',
  'git',
  'notifications',
  'services',
]

/** Keys that begin so are the user's own, mostly kept for an anchor. */
export function isCustom(key: string): boolean {
  return key.startsWith('_') || key.startsWith('.')
}
