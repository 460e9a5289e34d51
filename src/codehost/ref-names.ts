/** Whether a text is a full object id, of either length that git knows. */
export function isSha(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** Whether git accepts this as the name of a branch or tag, or as a full ref. */
export function isRefName(name: string): boolean {
  if (name === '' || name === '@' || /[\p{Cc} ~^:?*[\\]/u.test(name)) return false
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false
  return name.split('/').every((part) => /^[^.]/.test(part) && !part.endsWith('.lock'))
}
