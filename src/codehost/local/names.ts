import { refusal } from './refusal.ts'

/** The all-zero id, with the length of `other`. */
export function noSha(other: string): string {
  return '0'.repeat(other.length === 64 ? 64 : 40)
}

export function isNoSha(sha: string): boolean {
  return /^0+$/.test(sha)
}

/** The ref that represents the head of a pull request; it is not created in the repository. */
export function pullRef(number: number): string {
  return `refs/pull/${number}/head`
}

export function numberOfPullRef(ref: string): number | undefined {
  const number = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** `owner/name` of a repository; `name` alone belongs to `owner`. */
export function readSlug(text: string, owner: string): { owner: string; name: string } {
  const [, named = owner, name = ''] = /^(?:([^/]+)\/)?([^/]+)$/.exec(text) ?? []
  const fits = /^[a-z0-9](?:-?[a-z0-9])*$/i.test(named) && /^(?!\.\.?$)[\w.-]{1,100}$/.test(name)
  if (!fits) {
    throw refusal(
      `"${text}" cannot be the name of a repository: write owner/name, the owner of letters, ` +
        'digits and single hyphens, the name of letters, digits, dots, hyphens and underscores',
    )
  }
  return { owner: isSameName(named, owner) ? owner : named, name }
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** A repository's name from the name of its folder. */
export function nameOfFolder(folder: string): string {
  const name = folder
    .replace(/(.)\.git$/, '$1')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return /^\.*$/.test(name) ? 'repository' : name.slice(0, 100)
}
