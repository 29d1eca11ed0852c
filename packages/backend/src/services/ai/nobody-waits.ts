/** What is answered to a caller who has left: nobody reads it, and it is no failure of ours (nginx's 499). */
export function nobodyWaits(): Response {
  return new Response(null, { status: 499 });
}
