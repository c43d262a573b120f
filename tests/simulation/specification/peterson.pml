/* Peterson's lock, all steps in one loop: the states that SPIN stores are those of the model. */
#define idle 0
#define waiting 1
#define inside 2

byte does[2] = 0;
bool flags[2] = 0;
byte turn = 0;

#define PROCESS(one) \
:: d_step { does[one] == idle -> flags[one] = 1; turn = 1 - one; does[one] = waiting } \
:: d_step { does[one] == waiting && (!flags[1 - one] || turn == one) -> does[one] = inside } \
:: d_step { does[one] == inside -> flags[one] = 0; does[one] = idle }

active proctype lock() {
  do
  PROCESS(0)
  PROCESS(1)
  od
}
