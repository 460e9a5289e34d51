const allowed = /^[\w.-]{1,110}$/

/** Ids become names of folders and part of a job's home, so they hold no special characters. */
export function checkId(id: string): string {
  if (!allowed.test(id)) throw new Error(`an id may hold letters, digits, ".", "_" and "-": ${id}`)
  return id
}
