/* The terminal of a view that is drawn in place. */
#include "cli/live.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { PLAIN_COLS = 100, PLAIN_ROWS = 50, LEAST_COLS = 20 };

/* What the signal handlers need in order to restore the terminal. */
static struct termios before, raw;
static struct sigaction stop_before;
static volatile bool is_raw, is_other;

/* The terminal's other screen, without a cursor; lines that are too long are cut, not continued on the next one. */
static const char other_screen[] = "\033[?1049h\033[?25l\033[?7l", own_screen[] = "\033[?7h\033[?25h\033[?1049l";

static void
send_codes(const char *codes, size_t n)
{
	ssize_t sent = write(STDOUT_FILENO, codes, n);
	(void)sent;
}

void
screen_panic(void)
{
	if (is_other)
		send_codes(own_screen, sizeof own_screen - 1);
	if (is_raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	is_raw = is_other = false;
}

/* Ctrl-Z: the shell gets its screen and its keys, until the process goes on. */
static void
on_stop(int sig)
{
	int err = errno;
	bool was_raw = is_raw, was_other = is_other;
	(void)sig;
	screen_panic();
	raise(SIGSTOP);
	if (was_raw)
		is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
	if (was_other)
		send_codes(other_screen, sizeof other_screen - 1);
	is_other = was_other;
	errno = err;
}

void
screen_size(struct screen *s)
{
	struct winsize w;
	s->cols = PLAIN_COLS;
	s->rows = PLAIN_ROWS;
	if (!s->is_live || ioctl(fileno(s->out), TIOCGWINSZ, &w) != 0 || !w.ws_col || !w.ws_row)
		return;
	s->cols = w.ws_col < LEAST_COLS ? LEAST_COLS : w.ws_col;
	s->rows = w.ws_row;
}

void
screen_open(struct screen *s, FILE *out, unsigned show)
{
	const char *term = getenv("TERM");
	*s = (struct screen){
	    .out = out, .colour = (show & ET_SHOW_COLOUR) != 0, .unicode = (show & ET_SHOW_UNICODE) != 0};
	s->is_live = out == stdout && isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
	s->has_keys = s->is_live && isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &before) == 0;
	if (s->has_keys) {
		raw = before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
	}
	if (s->is_live) {
		struct sigaction act = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
		sigemptyset(&act.sa_mask);
		if (sigaction(SIGTSTP, NULL, &stop_before) == 0 && stop_before.sa_handler != SIG_IGN)
			sigaction(SIGTSTP, &act, NULL);
		is_other = true;
		fputs(other_screen, out);
		fflush(out);
	}
	screen_size(s);
}

void
screen_close(struct screen *s)
{
	if (s->is_live) {
		fflush(s->out);
		sigaction(SIGTSTP, &stop_before, NULL);
	}
	screen_panic();
	s->is_live = s->has_keys = false;
}

bool
screen_show(struct screen *s, const struct sbuf *frame)
{
	const char *at = frame->at ? frame->at : "";
	if (!s->is_live) {
		fputs(at, s->out);
		return fflush(s->out) == 0 && !ferror(s->out);
	}
	/* Each line replaces the old one, so nothing flickers. The rest of the old one goes first: behind a line that
	 * is as wide as the window that would be its last character. */
	fputs("\033[H", s->out);
	for (unsigned row = 0; *at && row + 1 < s->rows; row++) {
		size_t len = strcspn(at, "\n");
		fputs("\033[K", s->out);
		fwrite(at, 1, len, s->out);
		fputs("\r\n", s->out);
		at += len + (at[len] == '\n');
	}
	fputs("\033[J", s->out);
	return fflush(s->out) == 0 && !ferror(s->out);
}

int
screen_key(struct screen *s, unsigned ms)
{
	struct pollfd p = {.fd = s->has_keys ? STDIN_FILENO : -1, .events = POLLIN};
	unsigned char key = 0;
	if (poll(&p, 1, (int)ms) != 1)
		return 0;
	if (read(STDIN_FILENO, &key, 1) == 1)
		return key;
	s->has_keys = false; /* it was closed, so no key will come */
	return 0;
}

/* Returns how many columns a terminal gives a character. */
static unsigned
width_of(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
	    {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3ffff}};
	for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++)
		if (c >= wide[i].from && c <= wide[i].to)
			return 2;
	return 1;
}

/* Returns the bytes of a UTF-8 character at s, and its width in *cols. What cannot be shown counts as one byte and
 * one column. */
static size_t
next_char(const struct screen *scr, const char *s, unsigned *cols)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
	uint32_t point = n == 1 ? c : c & (0xffu >> (n + 1));
	*cols = 1;
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 1;
		point = point << 6 | ((unsigned char)s[i] & 0x3f);
	}
	/* control characters of the second kind, and combining characters, which are not in a table */
	if (n == 1 || !scr->unicode || point < 0xa0 || (point >= 0x300 && point < 0x370) ||
	    (point >= 0x200b && point < 0x2010) || (point >= 0x202a && point < 0x202f) ||
	    (point >= 0x2066 && point < 0x206a))
		return 1;
	*cols = width_of(point);
	return n;
}

void
screen_text(const struct screen *s, struct sbuf *b, const char *text, int width)
{
	unsigned most = (unsigned)abs(width), used = 0;
	struct sbuf shown = {0};
	sb_adds(&shown, "");
	while (*text) {
		unsigned cols;
		size_t n = next_char(s, text, &cols);
		if (used + cols > most)
			break;
		unsigned char c = (unsigned char)*text;
		/* the terminal would obey an escape sequence in a key */
		if (n == 1 && (c < 0x20 || c >= 0x7f))
			sb_addc(&shown, '?');
		else
			sb_add(&shown, text, n);
		used += cols;
		text += n;
	}
	if (*text && used && most > 3 && !b->failed && shown.len) {
		/* cut: its last column shows that */
		size_t len = shown.len - 1;
		while (len && ((unsigned char)shown.at[len] & 0xc0) == 0x80)
			len--;
		shown.len = len;
		sb_addc(&shown, '>');
	}
	if (width < 0)
		sb_fill(b, ' ', most - used);
	sb_add(b, shown.at, shown.len);
	if (width > 0)
		sb_fill(b, ' ', most - used);
	sb_free(&shown);
}

void
screen_heading(const struct screen *s, struct sbuf *b, const char *text)
{
	bool stands_out = s->is_live && s->colour;
	if (stands_out)
		sb_adds(b, "\033[7m");
	if (s->is_live)
		screen_text(s, b, text, (int)s->cols);
	else
		sb_adds(b, text);
	sb_adds(b, stands_out ? "\033[0m\n" : "\n");
}

void
screen_rate(struct sbuf *b, double v)
{
	static const char units[] = "kMGTPE";
	int u = -1;
	double n = fabs(v);
	while (n >= 9999.5 && u < 5) {
		n /= 1000;
		u++;
	}
	const char *sign = v < 0 ? "-" : "";
	if (n > 0 && n < 9.95 && u < 0)
		sb_printf(b, "%s%.1f", sign, n);
	else if (u < 0)
		sb_printf(b, "%s%.0f", sign, n);
	else
		sb_printf(b, "%s%.0f%c", sign, n, units[u]);
}
