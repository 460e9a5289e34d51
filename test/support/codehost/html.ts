/** A page of the code host for people. */
export function page(content: string): string {
  return `<!DOCTYPE html>\n<html lang="en"><title>Code host</title><body>${content}</body></html>\n`
}

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
